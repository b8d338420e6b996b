import { type EarlyStart, startSandboxEarly } from "../../../app/index.ts";

/**
 * Starts the sandbox for a line that will probably need it, by a look at its words. A wrong guess costs time alone: what is
 * not needed ends with this process, and what is missing is started when it is asked for.
 */
export function startEarlyFor(words: readonly string[]): EarlyStart | null {
  const kind = guessKind(words);
  return kind && startSandboxEarly(kind);
}

export function guessKind(words: readonly string[]): "python" | "node" | null {
  const own = words.slice(1, words.includes("--") ? words.indexOf("--") : undefined);
  const isElsewhere = (word: string) => /^(--(session|unconfined|help)\b|-h$)/.test(word);
  if (words[0] !== "exec" || own.some(isElsewhere)) return null;
  const isNode = own.some(
    (word, at) => /^--lang=node$|\.[cm]?js$/.test(word) || (own[at - 1] === "--lang" && word === "node"),
  );
  return isNode ? "node" : "python";
}
