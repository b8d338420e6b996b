import type { PathRules } from "../../../policy/index.ts";
import { quote } from "../check-finding.ts";

const MAX_PATH_CHARS = 1024;

export interface PathProblem {
  code: "illegal_path" | "hidden_path" | "too_long";
  reason: string;
}

/** Null for a path that a check may name: plain, relative, inside the tree, visible. */
export function findPathProblem(path: string, rules: PathRules): PathProblem | null {
  if (path.length > MAX_PATH_CHARS) {
    return { code: "too_long", reason: `The path is longer than ${MAX_PATH_CHARS} characters.` };
  }
  const problem = describeIllegalPath(path);
  if (problem !== null) return { code: "illegal_path", reason: `The path ${quote(path)} ${problem}.` };
  if (rules.hidden(path)) {
    return { code: "hidden_path", reason: `The path ${quote(path)} is hidden by the policy (files.hide).` };
  }
  return null;
}

function describeIllegalPath(path: string): string | null {
  if (path === "") return "is empty";
  if (path.startsWith("/")) return "is absolute; paths are relative to the workspace";
  if (/\p{Cc}/u.test(path) || !path.isWellFormed()) return "holds a control character";
  const odd = /[<>:"|?*{}[\]\\]/.exec(path)?.[0];
  if (odd !== undefined) return `holds ${odd === '"' ? "a quotation mark" : odd}, which no path of a check may`;
  const parts = path.split("/");
  if (parts.includes("..") || parts.includes(".")) return "holds a . or .. part";
  if (parts.includes("")) return "holds an empty part";
  if (parts[0] === ".git" || parts[0] === ".drydock") return `lies in ${parts[0]}, which is not part of the tree`;
  return null;
}
