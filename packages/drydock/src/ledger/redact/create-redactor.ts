import { MAX_DEPTH } from "../chain/canonical-json.ts";
import { compilePatterns } from "./compile-patterns.ts";
import { environmentSecrets } from "./environment-secrets.ts";
import { redactKnownFormats } from "./known-formats.ts";
import { createLiteralSearch } from "./literal-search.ts";

/** Takes secrets out of what is about to be stored. What it gives back has `[redacted:NAME]` in their place. */
export interface Redactor {
  text(text: string): string;
  /** The same for all strings and keys of a JSON value; the value itself where there was nothing to take out. */
  value(value: unknown): unknown;
}

export interface RedactorOptions {
  environment: Readonly<Record<string, string | undefined>>;
  /** Names of variables that the policy lets through: their values are no secrets. */
  allowedNames: (name: string) => boolean;
  /** The owner's own patterns, as regular expressions. */
  patterns?: readonly string[];
}

const SECRET_KEY_NAME = /^(?:proxy-?)?authorization$|secret[_-]?access[_-]?key$/i;

export function createRedactor(options: RedactorOptions): Redactor {
  const literals = createLiteralSearch(environmentSecrets(options.environment, options.allowedNames));
  const patterns = compilePatterns(options.patterns ?? []);

  function text(input: string): string {
    let result = literals.replace(input, replacement);
    for (const pattern of patterns) result = result.replace(pattern, replacement("pattern"));
    return redactKnownFormats(result, replacement);
  }

  /** What became of frozen values (frozen all the way down): a policy goes into every run, and is looked through once. */
  const known = new WeakMap<object, unknown>();

  function value(input: unknown, depth = 0): unknown {
    if (typeof input === "string") return text(input);
    if (typeof input !== "object" || input === null) return input;
    if (!Object.isFrozen(input)) return look(input, depth);
    let found = known.get(input);
    if (found === undefined) {
      found = look(input, depth);
      known.set(input, found);
    }
    return found;
  }

  function look(input: object, depth: number): unknown {
    if (depth >= MAX_DEPTH) return "[nested too deep]";
    if (Array.isArray(input)) {
      let copy: unknown[] | undefined;
      for (let i = 0; i < input.length; i++) {
        const item = value(input[i], depth + 1);
        if (item === input[i]) continue;
        copy ??= [...input];
        copy[i] = item;
      }
      return copy ?? input;
    }
    if ("toJSON" in input && typeof input.toJSON === "function") return value(input.toJSON(), depth + 1);
    return record(input as Record<string, unknown>, depth);
  }

  function record(input: Record<string, unknown>, depth: number): unknown {
    let changed = false;
    const entries = Object.entries(input).map(([key, item]): [string, unknown] => {
      const newKey = text(key);
      const newItem = isNamedSecret(key, item) ? replacement(key) : value(item, depth + 1);
      if (newKey !== key || newItem !== item) changed = true;
      return [newKey, newItem];
    });
    return changed ? Object.fromEntries(entries) : input;
  }

  return { text, value: (input) => value(input) };
}

/** A secret that only its key tells, as in `{ "Authorization": "…" }`. */
function isNamedSecret(key: string, item: unknown): boolean {
  return typeof item === "string" && item.length >= 8 && SECRET_KEY_NAME.test(key);
}

function replacement(name: string): string {
  return `[redacted:${name}]`;
}
