import { spawn } from "node:child_process";
import { once } from "node:events";
import { readConfig } from "../../../app/index.ts";

/** The user's own editor on the user's terminal: it is the person at work, not the work, and so not in a sandbox. */
export async function startEditor(editor: string, file: string): Promise<number> {
  // The setting may contain options (`code --wait`), as the shell reads them.
  const child = spawn("/bin/sh", ["-c", `${editor} "$1"`, "drydock", file], {
    ...{ stdio: "inherit", env: readConfig().environment },
  });
  const [status] = (await once(child, "close")) as [number | null];
  return status ?? 1;
}
