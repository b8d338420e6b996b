import { readFile, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, join, resolve } from "node:path";
import { DrydockError, describeFileError, EXIT_STATUS } from "@drydock/protocol";
import { readAttachments, writeFilesCode } from "../../../tasks/index.ts";
import { cleanLine } from "../../terminal/clean-text.ts";
import { renderBytes } from "../../terminal/render/render-quantities.ts";
import type { ReplContext } from "../repl-context.ts";

const MAX_BYTES = 16 * 1024 * 1024;

/** Puts a file of the person's into the session, where code and the model find it under its own name. */
export async function attach(repl: ReplContext, rest: string, signal: AbortSignal): Promise<number> {
  const { screen, session, attached } = repl;
  const path = rest.replace(/^(["'])(.*)\1$/, "$2");
  if (path === "") throw new DrydockError("input.invalid", "No file was named.", "As in: /attach data.csv");
  if (session.language !== "python") {
    const hint = "Start the REPL without --lang node, or with --workspace DIR.";
    throw new DrydockError("input.invalid", "Files can be attached to a Python session only.", hint);
  }
  const files = readAttachments([{ name: basename(path), content: await read(path) }], MAX_BYTES);
  for (const code of writeFilesCode(files)) {
    const { error } = await session.exec(code, { signal });
    if (error) {
      screen.error(error);
      return EXIT_STATUS[error.code];
    }
  }
  for (const { name, bytes } of files) {
    attached.add(name);
    screen.say(`${cleanLine(name)} (${renderBytes(bytes.length)}) is in the work directory.\n`);
  }
  return 0;
}

async function read(path: string): Promise<Buffer> {
  const file = path.startsWith("~/") ? join(homedir(), path.slice(2)) : resolve(path);
  try {
    const { size } = await stat(file);
    if (size > MAX_BYTES) {
      const hint = `A file may have ${renderBytes(MAX_BYTES)}. Start the REPL with --workspace DIR for more.`;
      throw new DrydockError("input.invalid", `${path} is too large (${renderBytes(size)}).`, hint);
    }
    return await readFile(file);
  } catch (error) {
    if (error instanceof DrydockError) throw error;
    throw new DrydockError(
      "input.invalid",
      `${path} can't be read: ${describeFileError(error)}.`,
      "Check the path.",
      {},
      error,
    );
  }
}
