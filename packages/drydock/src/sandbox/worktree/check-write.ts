import { DrydockError } from "@drydock/protocol";
import { cutText } from "../../base/text/index.ts";
import { encodePath } from "../layers/index.ts";
import type { TreeRules } from "./worktree.ts";

const MAX_PATH_BYTES = 4096;
const MAX_NAME_BYTES = 255;

/** Why this can't be the path of anything in a workspace, or null. */
export function describePathProblem(path: string): string | null {
  if (path === "") return "is empty";
  if (path.startsWith("/")) return "is absolute; paths are relative to the workspace";
  if (path.includes("\0")) return "holds a NUL byte";
  if (encodePath(path).length > MAX_PATH_BYTES) return `is longer than ${MAX_PATH_BYTES} bytes`;
  for (const name of path.split("/")) {
    if (name === "") return "holds an empty part";
    if (name === "." || name === "..") return "holds a part . or ..";
    if (encodePath(name).length > MAX_NAME_BYTES) return `holds a part that is longer than ${MAX_NAME_BYTES} bytes`;
  }
  return null;
}

/** Git obeys a repository wherever it lies, as soon as somebody works there; so do we with our own files. */
export function isNeverWritten(path: string): boolean {
  return path.split("/").some((name) => name === ".git" || name === ".drydock");
}

/** Throws unless the path may be written. */
export function checkWrite(path: string, rules: TreeRules): void {
  const problem = describePathProblem(path);
  const shown = JSON.stringify(cutText(path, 200));
  const refuse = (why: string, hint: string) =>
    new DrydockError("policy.path_denied", `The path ${shown} ${why}.`, hint, { path: path.slice(0, MAX_PATH_BYTES) });
  if (problem) throw refuse(problem, "Give a plain path relative to the workspace, such as src/app.py.");
  if (isNeverWritten(path) || rules.protectedPath(path)) {
    throw refuse("is protected and never changed", `Leave it as it is. ${describeScope(rules)}`);
  }
  if (rules.hidden(path)) throw refuse("is hidden by the policy", `Use another path. ${describeScope(rules)}`);
  if (!rules.writable(path)) throw refuse("is outside the write scope", describeScope(rules));
}

function describeScope({ scope }: TreeRules): string {
  if (!scope) return "Write inside the scope (`files.write`).";
  return scope.length === 0 ? "Nothing may be written here." : `What may be written: ${scope.join(", ")}.`;
}
