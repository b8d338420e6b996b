import type { ControlEvidence } from "@drydock/protocol";
import type { CheckFinding } from "../../check-finding.ts";
import { expandCommand } from "../../implied/command-words.ts";
import { startsReader } from "../read-only.ts";
import { isBrokenBuild } from "./broken-build.ts";
import { describeControl } from "./describe-control.ts";
import { addComment, planSame, type Round } from "./plan-rounds.ts";
import {
  type ControlOptions,
  type ControlTree,
  isAnswer,
  judgeSpoilt,
  loadSpoilers,
  noControl,
  passingIn,
  toEdit,
} from "./try-control.ts";

/** A check that could not even be built has not found out that what it expects is wrong. */
const NOT_BUILT = "No control was made: the check could not be built with what it expects made wrong.";

export interface SpoiltCommand {
  text: string;
  edits: number;
  /** The command with what it expects written in another way; null where there is none. */
  same: string | null;
}

export interface TriedControl extends ControlEvidence {
  /** Nothing else can save it: a test passes with its own expectation made wrong, or the change recognises its tests. */
  isFinal: boolean;
}

export function toEvidence({ isFinal: _isFinal, ...evidence }: TriedControl): ControlEvidence {
  return evidence;
}

/** None of the rounds needs to know how another ended: they run side by side. */
export async function tryRounds(
  rounds: readonly Round[],
  command: SpoiltCommand | null,
  options: ControlOptions,
): Promise<TriedControl | null> {
  const { newlyPassing, check } = options;
  const { spoilFile } = await loadSpoilers();
  const spoilt = rounds.map(({ files, count }, index): ControlTree => {
    const edits = files.map(({ file, chosen }) => toEdit(addComment(spoilFile(file, chosen))));
    const isCommandToo = command !== null && index === 0;
    return {
      kind: "expectations",
      check: isCommandToo ? { ...check, cmd: command.text } : check,
      edits,
      count: count + (isCommandToo ? command.edits : 0),
    };
  });
  if (spoilt.length === 0 && command) {
    spoilt.push({ kind: "expectations", check: { ...check, cmd: command.text }, edits: [], count: command.edits });
  }
  const [tried, read] = await Promise.all([
    Promise.all(spoilt.map(async (each) => ({ ...each, finding: await judgeSpoilt(each, options) }))),
    tryScripts(rounds, command, options),
  ]);
  // In parallel, a check comes closer to its limits than alone: a round without a result is run again.
  for (const each of tried) if (!isAnswer(each.finding)) each.finding = await judgeSpoilt(each, options);
  const silent = tried.find(({ finding }) => !isAnswer(finding));
  if (silent) return { ...noControl(`No control was made: ${silent.finding.reason}`), isFinal: true };
  for (const [index, each] of tried.entries()) each.finding = restoreNames(each.finding, rounds[index]?.renamed);
  const passing = tried.map(({ finding }) => passingIn(finding));
  const count = Math.max(0, ...spoilt.map((each) => each.count));
  const own = newlyPassing.filter((id) => passing.some((ids, index) => rounds[index]?.isSpoilt(id) && ids.has(id)));
  if (own.length > 0) return { ...evidenceOf(count, true, own), isFinal: true };
  const recognised = await findRecognised(rounds, passing, options);
  if (recognised) return recognised;
  const isCovered = (id: string) => rounds.some((round) => round.isSpoilt(id));
  const survivors = newlyPassing.filter(
    (id) => !isCovered(id) && passing.every((ids, index) => rounds[index]?.isUntouched(id) || ids.has(id)),
  );
  const sound = tried.filter(({ finding, edits }) => !isBrokenBuild(finding, edits));
  if (sound.length === 0) return { ...noControl(NOT_BUILT), isFinal: false };
  const failing = sound.filter(({ finding }) => finding.verdict !== "passed");
  const failed = newlyPassing.length > 0 ? failing.length > 0 : failing.length === sound.length;
  if (failed && read) return describeLost(read, READS);
  return { ...evidenceOf(count, failed, survivors), isFinal: false };
}

/** A finding whose tests are called as they are without the control. */
function restoreNames(finding: CheckFinding, renamed: Round["renamed"] = new Map()): CheckFinding {
  const { ran } = finding;
  if (renamed.size === 0 || !ran?.report) return finding;
  const restore = (id: string) => {
    const parts = id.split(/::| > |\./).map((part) => part.replace(/\[.*$/s, ""));
    const is = parts.find((part) => renamed.has(part)) ?? [...renamed.keys()].find((name) => id.includes(name)) ?? "";
    return id.replace(is, () => renamed.get(is) ?? "");
  };
  const tests = ran.report.tests.map((test) => ({ ...test, id: restore(test.id) }));
  return { ...finding, ran: { ...ran, report: { ...ran.report, tests } } };
}

/** Of a command that reports no tests: it and its scripts with their values written in another way. */
async function tryScripts(
  rounds: readonly Round[],
  command: SpoiltCommand | null,
  options: ControlOptions,
): Promise<Lost | null> {
  const { check, context, hasTests } = options;
  const files = rounds[0]?.files.map(({ file }) => file) ?? [];
  const same = command?.same ?? null;
  if (hasTests || !(same !== null || files.some((file) => (file.same ?? []).length > 0))) return null;
  const lines = await expandCommand(check, context.tree);
  // A linter may well object to the other words.
  if ([...lines, ...files.map(({ text }) => text)].some(startsReader)) return null;
  return tryHarmless(planSame(files), same === null ? options : { ...options, check: { ...check, cmd: same } }, []);
}

function evidenceOf(edits: number, failed: boolean, survivors: string[]): ControlEvidence {
  const reason = describeControl("expectations", edits, failed, survivors);
  return { kind: "expectations", edits, failed, survivors, reason };
}

/** A test that does not pass with nothing but comments added to its file, or with its values written in another way: the change recognises or reads its tests. */
async function findRecognised(
  rounds: readonly Round[],
  passing: readonly ReadonlySet<string>[],
  options: ControlOptions,
): Promise<TriedControl | null> {
  const { newlyPassing, check } = options;
  if (newlyPassing.length === 0 || check.junit !== undefined) return null;
  const isSeen = (id: string) => passing.some((ids, index) => rounds[index]?.isUntouched(id) && ids.has(id));
  const unseen = newlyPassing.filter((id) => !isSeen(id));
  if (unseen.length === 0) return null;
  // Others may have failed it, by what they share: with nothing made wrong at all, it must pass.
  const files = rounds[0]?.files.map(({ file }) => file) ?? [];
  const recognised = await tryHarmless(
    { files: files.map((file) => ({ file, chosen: [] })), renamed: new Map() },
    options,
    newlyPassing,
  );
  if (recognised) return describeLost(recognised, RECOGNISES);
  const read = await tryHarmless(planSame(files), options, unseen, FAILED_ITSELF);
  return read && describeLost(read, READS);
}

const RECOGNISES = {
  how: "With a comment added to the test files",
  why: "the change recognises its tests, or does not work each time",
};
const READS = {
  how: "With the values in the test files written in another way, each of them the same, and with other comments and names",
  why: "the change takes its answers from the tests, or answers with something that is no value",
};

interface Lost {
  edits: number;
  lost: string[];
  /** The round said nothing. */
  silent?: string;
}

const ANY = () => true;
/** A test that was not even run says nothing: a linter before it may have objected to the other words. */
const FAILED_ITSELF = (id: string, { ran }: CheckFinding) =>
  ran?.report?.tests.some((test) => test.id === id && test.outcome === "failed") ?? false;

/** The tests that do not pass after edits that change nothing, or the command where there are none; null: all of them do. */
async function tryHarmless(
  { files, renamed }: Pick<Round, "files" | "renamed">,
  options: ControlOptions,
  suspects: readonly string[],
  isLost: (id: string, finding: CheckFinding) => boolean = ANY,
): Promise<Lost | null> {
  const { spoilFile } = await loadSpoilers();
  const edits = files.map(({ file, chosen }) => toEdit(addComment(spoilFile(file, chosen))));
  const tree: ControlTree = { kind: "expectations", check: options.check, edits, count: edits.length };
  const finding = restoreNames(await judgeSpoilt(tree, options), renamed);
  if (!isAnswer(finding)) return { edits: edits.length, lost: [], silent: finding.reason };
  const still = passingIn(finding);
  const isFailed = suspects.length === 0 && finding.verdict !== "passed";
  const lost = isFailed ? [options.check.cmd] : suspects.filter((id) => !still.has(id) && isLost(id, finding));
  return lost.length === 0 ? null : { edits: edits.length, lost };
}

function describeLost({ edits, lost, silent }: Lost, { how, why }: typeof READS): TriedControl {
  if (silent !== undefined) return { ...noControl(`No control was made: ${silent}`), isFinal: true };
  const more = lost.length > 1 ? ` and ${lost.length - 1} more` : "";
  const reason = `${how}, ${lost[0]}${more} does not pass any more: ${why}.`;
  return { kind: "expectations", edits, failed: false, survivors: lost, reason, isFinal: true };
}
