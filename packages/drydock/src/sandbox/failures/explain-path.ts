import { posix } from "node:path";
import type { ErrorInfo } from "@drydock/protocol";
import { createPathRules, explainDeniedWrite, explainDenyRule, findHidingRule } from "../../policy/index.ts";
import type { ExceptionReport } from "./ending.ts";
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
      hint: `Use relative paths inside the work directory. Temporary files can go to /tmp.`,
      path,
    };
  }
  const { files } = context.policy;
  const rules = createPathRules({ files });
  if (code !== "EROFS" && rules.writable(relative)) return null;
  return {
    code: "policy.path_denied",
    message: `The policy does not allow changes to ${path}.`,
    hint: explainDeniedWrite(relative, files, context.rules),
    path,
  };
}

/** Directories that the sandbox has itself: what is missing there is missing, and not kept away. */
const OWN_DIRECTORIES = /^\/(?:tmp|var\/tmp|dev|proc|sys|run|usr|lib\w*|s?bin|opt|drydock|home\/dock)(?:\/|$)/;

/** A file of the host's, which no code in the sandbox sees; null where the file could have been there. */
export function explainAbsentPath(
  path: string,
  { type, line }: Pick<ExceptionReport, "type" | "line">,
  context: FailureContext,
): ErrorInfo | null {
  if (
    context.seesHost ||
    !posix.isAbsolute(path) ||
    relativePath(path, context) !== null ||
    OWN_DIRECTORIES.test(posix.normalize(path))
  ) {
    return null;
  }
  const where = line === undefined ? "" : ` (line ${line})`;
  return {
    code: "policy.path_denied",
    message: `${type}: ${path} lies outside of the work directory, where the code sees no files of this machine${where}.`,
    hint: hintAtMissingFile(path, context),
    path,
  };
}

/** Where a file of the module's name, in the work directory or a package of it, would be hidden; else null. */
export function hintAtHiddenModule(module: string, context: FailureContext): string | null {
  if (module === "") return null;
  const { files } = context.policy;
  const isPython = context.language === "python";
  const file = isPython ? module.replaceAll(".", "/") : relativePath(module, context);
  // A name without a path is a package, which is not looked for among the workspace's own files.
  if (file === null || file === "" || (!isPython && !/^[./]/.test(module))) return null;
  const endings = isPython ? [".py", "/__init__.py"] : ["", ".js", ".mjs", ".cjs", ".ts", ".json", "/index.js"];
  const path = endings.map((ending) => `${file}${ending}`).find((each) => findHidingRule(files, each) !== undefined);
  const rule = path === undefined ? undefined : findHidingRule(files, path);
  if (path === undefined || rule === undefined) return null;
  return `If it is ${path} of the workspace, give the file another name. ${explainDenyRule("files.hide", rule, context.rules)}`;
}

export function hintAtMissingFile(path: string, context: FailureContext): string {
  const relative = relativePath(path, context);
  if (relative === null) {
    const name = posix.basename(path);
    return `Files outside of the work directory do not exist in the sandbox: put ${isPlainPath(name) ? name : "it"} into the workspace and use a relative path.`;
  }
  const hiding = findHidingRule(context.policy.files, relative);
  if (hiding !== undefined) {
    return `The policy hides such files: do without it. ${explainDenyRule("files.hide", hiding, context.rules)}`;
  }
  return "Check the name: paths are relative to the work directory. Without --workspace it starts empty.";
}
