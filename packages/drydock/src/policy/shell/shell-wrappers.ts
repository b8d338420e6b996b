import type { CommandWord } from "../rules/command-rules.ts";
import { isGuardedVariable } from "./shell-builtins.ts";

interface Wrapper {
  /** Options that take no value, and options that take one. Short ones are single letters. */
  flags: readonly string[];
  valued: readonly string[];
  /** Words between the options and the command, such as timeout's duration. */
  operands?: number;
  /** `NAME=value` may precede the command. */
  assignments?: boolean;
  /** Adds words of its own to the command. */
  appends?: boolean;
}

function words(text: string): string[] {
  return text.split(" ").filter((word) => word !== "");
}

/** Programs whose arguments are another command. What is not known here about their options is refused, not guessed. */
const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map<string, Wrapper>([
  ["env", { flags: words("i 0 v ignore-environment null debug"), valued: words("u C unset chdir"), assignments: true }],
  [
    "xargs",
    {
      flags: words("0 r t p x null no-run-if-empty verbose interactive exit"),
      valued: words("I n L P d a E s max-args max-lines max-procs delimiter arg-file max-chars"),
      appends: true,
    },
  ],
  [
    "timeout",
    { flags: words("v foreground preserve-status verbose"), valued: words("k s kill-after signal"), operands: 1 },
  ],
  ["nohup", { flags: [], valued: [] }],
  ["nice", { flags: [], valued: words("n adjustment") }],
  ["sudo", { flags: words("E H n S b k"), valued: words("u g C p user group"), assignments: true }],
  ["doas", { flags: words("n"), valued: words("u") }],
  ["time", { flags: words("p v a q portability verbose append quiet"), valued: words("f o format output") }],
  ["setsid", { flags: words("c f w ctty fork wait"), valued: [] }],
  ["stdbuf", { flags: [], valued: words("i o e input output error") }],
  ["ionice", { flags: words("t ignore"), valued: words("c n class classdata") }],
]);

export type Unwrapped =
  | { kind: "plain" }
  | { kind: "inner"; argv: CommandWord[] }
  | { kind: "unclear"; reason: string };

/** Finds the command that a wrapper such as `timeout 5 ls` runs. */
export function unwrapCommand(argv: readonly CommandWord[]): Unwrapped {
  const name = argv[0];
  const wrapper = typeof name === "string" ? WRAPPERS.get(name.slice(name.lastIndexOf("/") + 1)) : undefined;
  if (!wrapper) return { kind: "plain" };
  const unclear = (reason: string): Unwrapped => ({ kind: "unclear", reason: `${name} ${reason}` });
  let replace: string | undefined;
  let index = 1;
  for (; index < argv.length; index++) {
    const word = argv[index];
    if (word === null || word === undefined) return unclear("has a word before its command that is not literal");
    if (word === "--") {
      index++;
      break;
    }
    if (!word.startsWith("-") || word === "-") break;
    const option = readOption(wrapper, word, argv[index + 1]);
    if (!option) return unclear(`has the option ${word}, which can't be checked`);
    if (option.name === "I") replace = option.value;
    if (option.usesNext) index++;
  }
  for (; wrapper.assignments && index < argv.length; index++) {
    const word = argv[index];
    const variable = typeof word === "string" ? /^([^=]+)=/s.exec(word)?.[1] : undefined;
    if (variable === undefined) break;
    if (isGuardedVariable(variable)) return unclear(`sets ${variable}, which decides what runs`);
  }
  const start = index + (wrapper.operands ?? 0);
  // One word that is not literal may become several, and so shift which word is the command.
  if (argv.slice(0, start).includes(null)) return unclear("has a word before its command that is not literal");
  const inner = argv.slice(start);
  if (inner.length === 0) return { kind: "plain" };
  if (!wrapper.appends) return { kind: "inner", argv: inner };
  const replaced = inner.map((word) => (replace !== undefined && word?.includes(replace) ? null : word));
  return { kind: "inner", argv: [...replaced, null] };
}

interface ReadOption {
  name: string;
  value?: string;
  usesNext: boolean;
}

function readOption(wrapper: Wrapper, word: string, next: CommandWord | undefined): ReadOption | undefined {
  if (word.startsWith("--")) {
    const [name = "", value] = word.slice(2).split(/=(.*)/s);
    if (wrapper.valued.includes(name))
      return { name, value: value ?? next ?? undefined, usesNext: value === undefined };
    return wrapper.flags.includes(name) && value === undefined ? { name, usesNext: false } : undefined;
  }
  // Letters may be put together (`-0r`), and the value of the last may follow at once (`-n1`).
  for (let at = 1; at < word.length; at++) {
    const name = word[at] ?? "";
    if (wrapper.flags.includes(name)) continue;
    if (!wrapper.valued.includes(name)) return undefined;
    const attached = word.slice(at + 1);
    return attached === ""
      ? { name, value: next ?? undefined, usesNext: true }
      : { name, value: attached, usesNext: false };
  }
  return { name: word, usesNext: false };
}
