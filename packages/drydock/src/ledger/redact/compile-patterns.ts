import { DrydockError } from "@drydock/protocol";

/**
 * The owner's patterns as expressions. One that is no expression, that matches nothing at all, or that repeats what
 * already repeats (`(a+)+`, whose time may double with each character) is refused here, before anything runs.
 */
export function compilePatterns(sources: readonly string[]): RegExp[] {
  return sources.map((source) => {
    let pattern: RegExp;
    try {
      pattern = new RegExp(source, "gu");
    } catch (error) {
      throw refused(source, error instanceof Error ? error.message : String(error));
    }
    if (pattern.test("")) throw refused(source, "it matches the empty text");
    if (repeatsRepetition(source)) throw refused(source, "it repeats a group that repeats something itself");
    pattern.lastIndex = 0;
    return pattern;
  });
}

function refused(source: string, reason: string): DrydockError {
  return new DrydockError(
    "policy.invalid",
    `The redaction pattern ${JSON.stringify(source)} can't be used: ${reason}.`,
    "Write a JavaScript regular expression that matches the secret itself, with bounded repetition, such as acme_[0-9a-f]{32}.",
    { pattern: source },
  );
}

/** Whether a group that holds `*`, `+` or `{` is itself followed by one. */
function repeatsRepetition(source: string): boolean {
  const groups: boolean[] = [];
  let inClass = false;
  for (let i = 0; i < source.length; i++) {
    const char = source.charAt(i);
    if (char === "\\") i += 1;
    else if (inClass) inClass = char !== "]";
    else if (char === "[") inClass = true;
    else if (char === "(") groups.push(false);
    else if (char === ")") {
      const held = groups.pop() ?? false;
      if (held && /[*+{]/.test(source.charAt(i + 1))) return true;
      if (held && groups.length > 0) groups[groups.length - 1] = true;
    } else if (/[*+{]/.test(char) && groups.length > 0) groups[groups.length - 1] = true;
  }
  return false;
}
