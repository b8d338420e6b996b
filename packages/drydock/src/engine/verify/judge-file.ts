import type { Check } from "@drydock/protocol";
import { matchApart } from "./apart/run-apart.ts";
import { type Finding, failed, passed, quote } from "./finding.ts";
import type { JudgeContext } from "./judge-context.ts";
import { resolveInTree } from "./judged-tree.ts";

type Of<T extends Check["type"]> = Extract<Check, { type: T }>;

const MB = 1024 * 1024;
const MAX_FILE_MB = 64;
/** Less than MAX_FILE_MB: the text is copied to the thread that matches it. */
const MAX_MATCHED_MB = 16;
const HEAD_CHARS = 1000;

export type ReadFile = { ok: true; bytes: Buffer } | { ok: false; finding: Finding };

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
  if (found.entry.type !== "file") return no("not_a_file", `${path} is a ${found.entry.type}, no file.`);
  if ((found.entry.size ?? 0) > maxMb * MB) {
    return no("too_large", `${path} has ${found.entry.size} bytes; this check looks into files of up to ${maxMb} MB.`);
  }
  const bytes = await tree.read(found.path);
  return bytes ? { ok: true, bytes } : no("unreadable", `${path} can't be read.`);
}

function describeOutside({ link, target }: { link: string; target: string }): string {
  return `${link} is a symlink to ${quote(target)}, which leads out of the tree or nowhere; it is not followed.`;
}

export function judgeFileExists({ path }: Of<"file_exists">, { tree }: JudgeContext): Finding {
  const found = resolveInTree(tree, path);
  if (found.kind === "missing") return failed("missing", `There is no file ${path}.`);
  if (found.kind === "outside") return failed("symlink_outside", describeOutside(found), { target: found.target });
  const { type, size, sha256 } = found.entry;
  return passed(`${path} exists.`, { type, ...(type === "file" && { size, sha256 }) });
}

/** The path itself counts: a symlink that leads nowhere is there all the same. */
export function judgeFileAbsent({ path }: Of<"file_absent">, { tree }: JudgeContext): Finding {
  const parent = resolveInTree(tree, path.split("/").slice(0, -1).join("/"));
  const name = path.split("/").at(-1) ?? "";
  const place = parent.kind === "found" ? [parent.path, name].filter((part) => part !== "").join("/") : undefined;
  const entry = place === undefined ? undefined : tree.lookup(place);
  if (parent.kind === "outside") return failed("symlink_outside", describeOutside(parent), { target: parent.target });
  if (!entry) return passed(`${path} does not exist.`);
  return failed("present", `${path} exists (a ${entry.type}).`, { type: entry.type });
}

/** Bytes are compared, so that neither the file's encoding nor its line ends are guessed at. */
export async function judgeFileContains(check: Of<"file_contains">, context: JudgeContext): Promise<Finding> {
  const file = await readCheckedFile(context, check.path);
  if (!file.ok) return file.finding;
  const at = file.bytes.indexOf(Buffer.from(check.needle.toWellFormed()));
  if (at >= 0) return passed(`${check.path} contains ${quote(check.needle)}.`, { line: lineAt(file.bytes, at) });
  return failed("not_found", `${check.path} does not contain ${quote(check.needle)}.`, headOf(file.bytes));
}

export async function judgeFileMatches(check: Of<"file_matches">, context: JudgeContext): Promise<Finding> {
  const file = await readCheckedFile(context, check.path, MAX_MATCHED_MB);
  if (!file.ok) return file.finding;
  const { path, pattern } = check;
  const answer = await matchApart({ pattern, text: file.bytes.toString("utf8") }, context);
  switch (answer.kind) {
    case "matched": {
      const { index, match } = answer;
      const line = file.bytes.toString("utf8").slice(0, index).split("\n").length;
      return passed(`${path} matches ${quote(pattern)}.`, { line, match });
    }
    case "unmatched":
      return failed("no_match", `${path} does not match ${quote(pattern)}.`, headOf(file.bytes));
    case "invalid":
      return failed("invalid_pattern", `The pattern ${quote(pattern)} can't be used: ${answer.reason}`);
    case "stopped":
      return failed("pattern_timeout", `The pattern ${quote(pattern)} was given up on: ${answer.reason}`);
    default:
      return answer satisfies never;
  }
}

function lineAt(bytes: Buffer, index: number): number {
  let line = 1;
  for (let at = bytes.indexOf(10); at >= 0 && at < index; at = bytes.indexOf(10, at + 1)) line += 1;
  return line;
}

function headOf(bytes: Buffer): Record<string, unknown> {
  const head = bytes.subarray(0, HEAD_CHARS).toString("utf8");
  return { size: bytes.length, head: bytes.length > HEAD_CHARS ? `${head}…` : head };
}
