import { homedir } from "node:os";
import { basename, join, resolve } from "node:path";
import { DrydockError, EXIT_STATUS } from "@drydock/protocol";
import { readAttachments, writeFilesCode } from "../../../tasks/index.ts";
import { cleanLine } from "../../terminal/clean-text.ts";
import { readAttachedFile } from "../../terminal/read-attached-file.ts";
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
  const content = await readAttachedFile(path, locate(path), MAX_BYTES);
  const files = readAttachments([{ name: basename(path), content }], MAX_BYTES);
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

function locate(path: string): string {
  return path.startsWith("~/") ? join(homedir(), path.slice(2)) : resolve(path);
}
