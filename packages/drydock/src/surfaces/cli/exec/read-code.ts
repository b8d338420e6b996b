import { open } from "node:fs/promises";
import { DrydockError, type Language } from "@drydock/protocol";
import { languageOfFile } from "./language-of-file.ts";

const MAX_CODE_BYTES = 64 * 1024 * 1024;

export interface CodeSource {
  code: string;
  /** Undefined for code that has no file. */
  filename?: string;
  /** What the file's name says. */
  language?: Language;
}

const NOTHING_HINT = "Give -c CODE, a FILE, - for standard input, or -- and a command.";

/** A step of a session is code, never a command. */
export const STEP_HINT = "Give -c CODE, a FILE, or - for standard input.";

/** The code from `-c`, from a file, or from standard input (`-`). Exactly one of them. */
export async function readCode(
  inline: string | undefined,
  file: string | undefined,
  nothingHint = NOTHING_HINT,
): Promise<CodeSource> {
  if (inline !== undefined && file !== undefined) {
    throw invalid(`Both -c and ${file} were given.`, "Give the code with -c, or name a file, not both.");
  }
  if (inline !== undefined) return { code: inline };
  if (file === undefined) {
    throw invalid("There is nothing to run.", nothingHint);
  }
  if (file === "-") return { code: decode(await readAll(process.stdin, "standard input"), "Standard input") };
  return { code: decode(await readFile(file), file), filename: file, language: languageOfFile(file) };
}

/** Words of the command line as one text; a lone `-` stands for standard input. */
export async function readWords(words: readonly string[]): Promise<string> {
  return words.length === 1 && words[0] === "-" ? (await readCode(undefined, "-")).code : words.join(" ");
}

async function readFile(file: string): Promise<Buffer> {
  try {
    await using handle = await open(file);
    return await readAll(handle.createReadStream({ autoClose: false }), file);
  } catch (error) {
    throw unreadableFileError(file, error);
  }
}

/** What is wrong with a file that was named, in words. */
export function unreadableFileError(file: string, error: unknown): DrydockError {
  if (error instanceof DrydockError) return error;
  const code = error instanceof Error && "code" in error ? error.code : "";
  if (code === "ENOENT") return invalid(`There is no file ${file}.`, "Check the path.");
  if (code === "EISDIR") return invalid(`${file} is a directory.`, "Name a file in it.");
  if (code === "EACCES") return invalid(`${file} can't be read: permission denied.`, "Check the file's permissions.");
  return invalid(`${file} can't be read: ${error instanceof Error ? error.message : String(error)}`, "Check the path.");
}

async function readAll(stream: AsyncIterable<Buffer>, name: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.length;
    if (length > MAX_CODE_BYTES) throw invalid(`The code in ${name} is larger than 64 MB.`, "Give it as data instead.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function decode(bytes: Buffer, name: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw invalid(`${name} is not valid UTF-8.`, "Save it as UTF-8; give other data with --stdin or in the workspace.");
  }
}

function invalid(message: string, hint: string): DrydockError {
  return new DrydockError("input.invalid", message, hint);
}
