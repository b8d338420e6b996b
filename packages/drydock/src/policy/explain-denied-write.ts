import type { EffectivePolicy } from "@drydock/protocol";
import { explainDenyRule, type RuleOrigins } from "./explain-rule.ts";
import { createPathRules } from "./rules/path-rules.ts";

const PLAIN_PATH = /^[\w@+./][\w@+./-]*$/;
const NOTHING = { access: true, write: [], protect: [], hide: [] };

type Files = EffectivePolicy["files"];

/** The entry of `files.hide` that hides a path relative to the workspace. */
export function findHidingRule({ hide }: Files, path: string): string | undefined {
  return hide.find((entry) => createPathRules({ files: { ...NOTHING, hide: [entry] } }).hidden(path));
}

/** Why a run may not write to a path relative to the workspace, and what would let it. */
export function explainDeniedWrite(path: string, files: Files, rules: RuleOrigins | undefined): string {
  const hiding = findHidingRule(files, path);
  if (hiding !== undefined) {
    return `The policy hides ${path}: write under another name. ${explainDenyRule("files.hide", hiding, rules)}`;
  }
  const protecting = files.protect.find((entry) =>
    createPathRules({ files: { ...NOTHING, protect: [entry] } }).protectedPath(path),
  );
  if (protecting !== undefined) {
    return `The policy protects ${path}: write somewhere else. ${explainDenyRule("files.protect", protecting, rules)}`;
  }
  if (createPathRules({ files }).writable(path)) {
    return `${path} is not for this run to write: it lies outside of the task's scope, leads out of the workspace, holds credentials of git, or is no file, directory or link (a pipe or a socket).`;
  }
  return `Write inside files.write: ${files.write.join(", ") || "nothing"}. ${explainNarrowWrite(path, rules)}`;
}

function explainNarrowWrite(path: string, rules: RuleOrigins | undefined): string {
  const origin = rules?.origins["files.write"];
  switch (origin?.source) {
    case "workspace":
      return `The workspace's own policy sets it: change ${origin.file}:${origin.line ?? 1}.`;
    case "request":
      return "The request's own policy sets it: ask for more.";
    default:
      return `Or let the owner widen it: drydock policy allow write ${PLAIN_PATH.test(path) ? path : "'GLOB'"}`;
  }
}
