import { type EarlyStart, startSandboxEarly } from "../../../app/index.ts";
import { languageOfFile } from "./language-of-file.ts";
import { readExecWords } from "./read-exec-words.ts";

/**
 * Starts the sandbox for a line that will probably need it. A line that only the full parser can read starts nothing:
 * it is a mistake or asks for help; otherwise the sandbox starts when it is needed.
 */
export function startEarlyFor(words: readonly string[]): EarlyStart | null {
  const kind = chooseKind(words);
  return kind && startSandboxEarly(kind);
}

export function chooseKind(words: readonly string[]): "python" | "node" | null {
  const end = words.indexOf("--");
  const line = readExecWords(end < 0 ? words : words.slice(0, end));
  if (!line || line.flags.session !== undefined || line.flags.queue || line.flags.unconfined) return null;
  const language = line.flags.lang ?? (line.file === undefined ? undefined : languageOfFile(line.file));
  return language === "node" ? "node" : "python";
}
