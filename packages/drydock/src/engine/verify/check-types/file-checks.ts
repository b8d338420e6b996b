import { type CheckFinding, failed, passed, quote } from "../check-finding.ts";
import type { JudgeContext } from "../judge-context.ts";
import { resolveInTree } from "../judged-tree.ts";
import { matchInWorker } from "../worker/run-in-worker.ts";
import type { CheckOf, DescriptorOf } from "./check-descriptor.ts";
import { findPathProblem } from "./check-path.ts";
import { findLengthProblem, findNeedleProblem } from "./check-problems.ts";
import { describeOutside, readCheckedFile } from "./read-checked-file.ts";

/** Less than what other checks read: the text is copied to the thread that matches it. */
const MAX_MATCHED_MB = 16;
const HEAD_CHARS = 1000;

export const fileExistsCheck: DescriptorOf<"file_exists"> = {
  judge: judgeFileExists,
  refuse: ({ path }, { rules }) => findPathProblem(path, rules),
  runs: false,
  isJudgedByStatus: false,
  comparesTrees: false,
  prompt: '{"type":"file_exists","path"}',
  rule: "A file has to be there.",
  isAboutPath: true,
};

export const fileAbsentCheck: DescriptorOf<"file_absent"> = {
  judge: judgeFileAbsent,
  refuse: ({ path }, { rules }) => findPathProblem(path, rules),
  runs: false,
  isJudgedByStatus: false,
  comparesTrees: false,
  prompt: '{"type":"file_absent","path"}',
  rule: "A file must not be there.",
  isAboutPath: true,
};

export const fileContainsCheck: DescriptorOf<"file_contains"> = {
  judge: judgeFileContains,
  refuse: ({ path, needle }, { rules }) => findPathProblem(path, rules) ?? findNeedleProblem(needle),
  runs: false,
  isJudgedByStatus: false,
  comparesTrees: false,
  prompt: '{"type":"file_contains","path","needle"}',
  rule: "A file has to contain a text.",
  isAboutPath: true,
};

export const fileMatchesCheck: DescriptorOf<"file_matches"> = {
  judge: judgeFileMatches,
  refuse: ({ path, pattern }, { rules }) => findPathProblem(path, rules) ?? findLengthProblem("pattern", pattern),
  runs: false,
  isJudgedByStatus: false,
  comparesTrees: false,
  prompt: '{"type":"file_matches","path","pattern"}',
  rule: "A file has to match a pattern.",
  isAboutPath: true,
};

function judgeFileExists({ path }: CheckOf<"file_exists">, { tree }: JudgeContext): CheckFinding {
  const found = resolveInTree(tree, path);
  if (found.kind === "missing") return failed("missing", `There is no file ${path}.`);
  if (found.kind === "outside") return failed("symlink_outside", describeOutside(found), { target: found.target });
  const { type, size, sha256 } = found.entry;
  return passed(`${path} exists.`, { type, ...(type === "file" && { size, sha256 }) });
}

/** The path itself counts: a symlink that leads nowhere is there all the same. */
function judgeFileAbsent({ path }: CheckOf<"file_absent">, { tree }: JudgeContext): CheckFinding {
  const parent = resolveInTree(tree, path.split("/").slice(0, -1).join("/"));
  const name = path.split("/").at(-1) ?? "";
  const place = parent.kind === "found" ? [parent.path, name].filter((part) => part !== "").join("/") : undefined;
  const entry = place === undefined ? undefined : tree.lookup(place);
  if (parent.kind === "outside") return failed("symlink_outside", describeOutside(parent), { target: parent.target });
  if (!entry) return passed(`${path} does not exist.`);
  return failed("present", `${path} exists (a ${entry.type}).`, { type: entry.type });
}

/** Bytes are compared, so that neither the file's encoding nor its line ends are guessed at. */
async function judgeFileContains(check: CheckOf<"file_contains">, context: JudgeContext): Promise<CheckFinding> {
  const file = await readCheckedFile(context, check.path);
  if (!file.ok) return file.finding;
  const at = file.bytes.indexOf(Buffer.from(check.needle.toWellFormed()));
  if (at >= 0) return passed(`${check.path} contains ${quote(check.needle)}.`, { line: lineAt(file.bytes, at) });
  return failed("not_found", `${check.path} does not contain ${quote(check.needle)}.`, headOf(file.bytes));
}

async function judgeFileMatches(check: CheckOf<"file_matches">, context: JudgeContext): Promise<CheckFinding> {
  const file = await readCheckedFile(context, check.path, MAX_MATCHED_MB);
  if (!file.ok) return file.finding;
  const { path, pattern } = check;
  const answer = await matchInWorker({ pattern, text: file.bytes.toString("utf8") }, context);
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
      return failed("pattern_timeout", `Matching the pattern ${quote(pattern)} was stopped: ${answer.reason}`);
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
