import { MAX_DEPTH } from "../chain/canonical-json.ts";
import { compilePatterns } from "./compile-patterns.ts";
import { environmentSecrets } from "./environment-secrets.ts";
import { redactKnownFormats } from "./known-formats.ts";
import { createLiteralSearch, type Literal, type LiteralSearch, MIN_SECRET_LENGTH } from "./literal-search.ts";
import { longLines } from "./parts.ts";
import { spellings } from "./spellings.ts";

/** Takes secrets out of what is about to be stored. What it gives back has `[redacted:NAME]` in their place. */
export interface Redactor {
  text(text: string): string;
  /** The same for all strings and keys of a JSON value; the value itself where there was nothing to take out. */
  value(value: unknown): unknown;
  /**
   * Takes this value out as well, from now on, in each spelling it may turn up in; of one with several lines each long
   * line, too. One of less than 6 characters would be found everywhere, and is not taken.
   */
  learn(value: string, name?: string): void;
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

  const learned = new Map<string, Literal>();
  let learnedSearch: LiteralSearch | null = null;

  function learn(secret: string, name = "secret"): void {
    const before = learned.size;
    for (const part of [secret, ...longLines(secret)]) {
      for (const spelled of spellings(part, MIN_SECRET_LENGTH)) {
        if (!learned.has(spelled)) learned.set(spelled, { text: spelled, name });
      }
    }
    if (learned.size === before) return;
    learnedSearch = createLiteralSearch([...learned.values()], MIN_SECRET_LENGTH);
    known = new WeakMap();
  }

  function text(input: string): string {
    // What is a secret by its owner's word is taken out first: another's value may be a part of it.
    const own = learnedSearch ? learnedSearch.replace(input, replacement) : input;
    let result = literals.replace(own, replacement);
    for (const pattern of patterns) result = result.replace(pattern, replacement("pattern"));
    return redactKnownFormats(result, replacement);
  }

  /** What became of frozen values (frozen all the way down): a policy goes into every run, and is looked through once. */
  let known = new WeakMap<object, unknown>();

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

  return { text, value: (input) => value(input), learn };
}

/** A secret that only its key tells, as in `{ "Authorization": "…" }`. */
function isNamedSecret(key: string, item: unknown): boolean {
  return typeof item === "string" && item.length >= 8 && SECRET_KEY_NAME.test(key);
}

function replacement(name: string): string {
  return `[redacted:${name}]`;
}
