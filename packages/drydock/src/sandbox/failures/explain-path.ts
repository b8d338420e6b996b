import { posix } from "node:path";
import type { ErrorInfo } from "@drydock/protocol";
import { createPathRules } from "../../policy/index.ts";
import type { FailureContext } from "./failure-context.ts";
import { isPlainPath } from "./names.ts";

const WORK_DIRECTORY = "/work";

/** The path relative to the work directory, or null where it lies outside. */
function relativePath(path: string, { workDirectory = WORK_DIRECTORY }: FailureContext): string | null {
  const relative = posix.relative(workDirectory, posix.resolve(workDirectory, path));
  return relative === ".." || relative.startsWith("../") ? null : relative;
}

/** A path that the sandbox kept closed; null where the code's own permissions did. */
export function explainDeniedPath(path: string, code: string, context: FailureContext): ErrorInfo | null {
  const relative = relativePath(path, context);
  if (relative === null) {
    return {
      code: "policy.path_denied",
      message: `${path} lies outside of the work directory and can't be used.`,
      hint: `Keep to the work directory, with relative paths; what lies only in memory can go to /tmp.`,
      path,
    };
  }
  const { files } = context.policy;
  const rules = createPathRules({ files });
  if (code !== "EROFS" && rules.writable(relative)) return null;
  const isProtected = rules.protectedPath(relative);
  return {
    code: "policy.path_denied",
    message: `The policy does not allow changes to ${path}.`,
    hint: isProtected
      ? `It is protected (files.protect: ${files.protect.join(", ")}): write somewhere else.`
      : `Write inside ${files.write.join(", ")}, or let the owner widen it: drydock policy allow write ${isPlainPath(relative) ? relative : "'GLOB'"}`,
    path,
  };
}

export function hintAtMissingFile(path: string, context: FailureContext): string {
  const relative = relativePath(path, context);
  if (relative === null) {
    const name = posix.basename(path);
    return `Files outside of the work directory do not exist in the sandbox: put ${isPlainPath(name) ? name : "it"} into the workspace and use a relative path.`;
  }
  if (createPathRules(context.policy).hidden(relative)) {
    return "The policy hides this file from runs (files.hide): work without it. `drydock policy show --explain` lists what is hidden.";
  }
  return "Check the name: paths are relative to the work directory. Without --workspace it starts empty.";
}
