import { chmod, mkdir, open, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { cleanLine } from "../terminal/clean-text.ts";

export interface History {
  /** Newest first, as line editors want it. */
  readonly lines: readonly string[];
  /** Keeps a line, without the secrets in it. Never fails: a history is a convenience. */
  add(line: string): Promise<void>;
}

const MAX_LINES = 1000;
const MAX_LINE_CHARS = 4000;
const MAX_FILE_BYTES = 8 * 1024 * 1024;

/** What was typed before, kept in a file for its owner alone. */
export async function openHistory(file: string, redact: (text: string) => string): Promise<History> {
  const kept = await readLines(file);
  const lines = kept.slice(-MAX_LINES);
  if (kept.length > lines.length) await rewrite(file, lines).catch(() => {});
  return {
    lines: lines.toReversed(),
    async add(line) {
      const text = redact(line)
        .replaceAll(/[\r\n]+/g, " ")
        .slice(0, MAX_LINE_CHARS);
      if (text.trim() === "" || text === lines.at(-1)) return;
      lines.push(text);
      if (lines.length > 2 * MAX_LINES) await rewrite(file, lines.splice(0, lines.length, ...lines.slice(-MAX_LINES)));
      else await append(file, text).catch(() => {});
    },
  };
}

/** Recalled lines are shown: text from the file must not control the terminal. */
async function readLines(file: string): Promise<string[]> {
  try {
    await using handle = await open(file);
    const { size } = await handle.stat();
    if (size > MAX_FILE_BYTES) return [];
    const text = await readFile(handle, "utf8");
    return text
      .split("\n")
      .filter(Boolean)
      .map((line) => (/[\p{Cc}\p{Bidi_Control}]/u.test(line) ? cleanLine(line) : line));
  } catch {
    return [];
  }
}

async function append(file: string, line: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await using handle = await open(file, "a", 0o600);
  await handle.chmod(0o600);
  await handle.appendFile(`${line}\n`);
}

async function rewrite(file: string, lines: readonly string[]): Promise<void> {
  const next = `${file}.${process.pid}`;
  await writeFile(next, `${lines.join("\n")}\n`, { mode: 0o600 });
  await chmod(next, 0o600);
  await rename(next, file);
}
