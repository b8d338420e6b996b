import { glob } from "node:fs/promises";
import { cleanLine } from "../../terminal/clean-text.ts";
import type { Terminal } from "../../terminal/terminal.ts";

const LEFT_OUT = /(^|\/)(node_modules|\.git|\.venv|__pycache__)$/;

/** A glob that matches nothing is often misspelt, and found out only when the run has failed. It may also be of files to come. */
export async function warnUnmatched(
  globs: readonly string[] = [],
  workspace: string,
  { err, errColors }: Pick<Terminal, "err" | "errColors">,
): Promise<void> {
  for (const pattern of globs) {
    if (await matchesSomething(pattern, workspace)) continue;
    err(`${errColors.yellow("warning:")} --may-change ${cleanLine(pattern)} matches nothing in the workspace.\n`);
  }
}

async function matchesSomething(pattern: string, cwd: string): Promise<boolean> {
  try {
    for await (const _ of glob(pattern.replace(/\/$/, ""), { cwd, exclude: (path) => LEFT_OUT.test(path) }))
      return true;
    return false;
  } catch {
    // Errors in the pattern or the directory are reported when the run starts.
    return true;
  }
}
