import { type CheckFinding, failed, quote } from "../check-finding.ts";
import type { JudgeContext } from "../judge-context.ts";
import { resolveInTree } from "../judged-tree.ts";

const MB = 1024 * 1024;
const MAX_FILE_MB = 64;

type ReadFile = { ok: true; bytes: Buffer } | { ok: false; finding: CheckFinding };

/** The content of the file that a check names, or what is wrong with it. */
export async function readCheckedFile(
  { tree }: Pick<JudgeContext, "tree">,
  path: string,
  maxMb = MAX_FILE_MB,
): Promise<ReadFile> {
  const found = resolveInTree(tree, path);
  const no = (code: string, reason: string, evidence = {}) => ({
    ok: false as const,
    finding: failed(code, reason, evidence),
  });
  if (found.kind === "missing") return no("missing", `There is no file ${path}.`);
  if (found.kind === "outside") return no("symlink_outside", describeOutside(found), { target: found.target });
  if (found.entry.type !== "file") return no("not_a_file", `${path} is a ${found.entry.type}, not a file.`);
  if ((found.entry.size ?? 0) > maxMb * MB) {
    return no("too_large", `${path} has ${found.entry.size} bytes; this check looks into files of up to ${maxMb} MB.`);
  }
  const bytes = await tree.read(found.path);
  return bytes ? { ok: true, bytes } : no("unreadable", `${path} can't be read.`);
}

/** Why a symlink that leads out of the tree is not followed. */
export function describeOutside({ link, target }: { link: string; target: string }): string {
  return `${link} is a symlink to ${quote(target)}, which leads out of the tree or nowhere; it is not followed.`;
}
