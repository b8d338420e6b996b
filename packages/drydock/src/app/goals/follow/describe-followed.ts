import { describeCommentPlace, type Layer, type ReviewComment, type Run, type RunEvent } from "@drydock/protocol";
import { cutText } from "../../../base/text/index.ts";
import { loadRecords } from "../../../engine/index.ts";
import { layerChanges, loadLayerDiff, type Workbench } from "../../../sandbox/index.ts";
import { requireRun } from "../../runs/require-run.ts";
import type { GoalPorts } from "../goal-ports.ts";

/** Where the result of a followed run is: in the workspace, kept in its layer, or not wanted. */
export type ResultPlace = "workspace" | "kept" | "discarded";

export interface FollowedResult {
  runId: string;
  place: ResultPlace;
  workbench: Workbench;
  /** Over the workspace as it is now; null: there is none to start from. */
  layer: Layer | null;
  /** The whole result as the run recorded it; null where it came to none. */
  final: Layer | null;
  /** What a person asks for of it. */
  comments: readonly ReviewComment[];
}

const MAX_GOAL_CHARS = 2000;
const MAX_REASON_CHARS = 600;
const MAX_EVIDENCE_CHARS = 1500;
const MAX_CHECKS = 5;
const MAX_PATHS = 100;
const MAX_DIFF_CHARS = 12_000;
const MAX_EARLIER = 5;

const PLACES: Record<ResultPlace, string> = {
  workspace: "Its changes were delivered: the files hold them, with whatever people changed since.",
  kept: "Its changes were not delivered. The files that you see hold them. They are judged together with yours, compared with the workspace without them.",
  discarded: "A person discarded its changes: the files do not hold them.",
};

/**
 * Text about the followed run for prompts: with a maximum size, without secrets and without what this run's policy
 * hides.
 */
export async function describeFollowed(ports: GoalPorts, result: FollowedResult): Promise<string> {
  const { ledger } = ports;
  const { runId, workbench } = result;
  const run = await requireRun(ports.ledger, runId);
  const events = await ports.readEvents(runId);
  const shown = result.layer ?? result.final;
  const entries = (shown?.entries ?? []).filter(({ path }) => !workbench.rules.hidden(path));
  const changes = layerChanges({ entries }).map(({ kind, path }) => `- ${kind}: ${path}`);
  const diff = cut(ledger.redact(await readDiff(ports, result, entries)), MAX_DIFF_CHARS);
  const place = shown === null || entries.length === 0 ? "It left no changes." : PLACES[result.place];
  const lines = [
    ...(await listEarlier(ports, events[0])).map((goal) => `An earlier goal: ${goal}`),
    `Its goal: ${cut(goalOf(events[0]), MAX_GOAL_CHARS)}`,
    `Its verdict: ${run.verdict}. ${await describeReason(ports, run, events)}`,
    place,
    ...(changes.length > 0 ? ["What it changed:", ...limit(changes, MAX_PATHS)] : []),
    ...(diff === "" ? [] : ["As a diff:", diff]),
    ...listComments(result.comments),
  ];
  return ledger.redact(lines.join("\n"));
}

/** Word for word: nothing of what a person asks for is cut. */
function listComments(comments: readonly ReviewComment[]): string[] {
  if (comments.length === 0) return [];
  const asked = "A person has reviewed these changes, and asks for this rework. Do all of it:";
  return [asked, ...comments.map((comment) => `- ${describeCommentPlace(comment)}: ${comment.text}`)];
}

async function describeReason({ ledger }: GoalPorts, run: Run, events: readonly RunEvent[]): Promise<string> {
  const { readVerdictReport } = await loadRecords();
  const readers = {
    blob: (sha256: string) => ledger.blobs.read(sha256),
    artifact: (id: string) => ledger.artifacts.read(id),
  };
  const { reason, checks } = await readVerdictReport(run, events, readers, ledger.redact);
  const open = checks
    .filter(({ result }) => result.verdict !== "passed" || result.doubt !== undefined)
    .map(({ title, result }) => {
      const evidence = Object.keys(result.evidence).length === 0 ? "" : `\n${JSON.stringify(result.evidence)}`;
      const why = cut(result.doubt ?? result.reason, MAX_REASON_CHARS);
      return `- ${title}: ${result.verdict}. ${why}${cut(ledger.redact(evidence), MAX_EVIDENCE_CHARS)}`;
    });
  return [cut(reason, MAX_REASON_CHARS), ...limit(open, MAX_CHECKS)].join("\n");
}

/** Of what was delivered or discarded, as the run recorded it: the workspace may have changed since. */
async function readDiff(
  { ledger }: GoalPorts,
  { workbench, layer }: FollowedResult,
  entries: Layer["entries"],
): Promise<string> {
  if (layer) return workbench.tree(layer).diff();
  const originals = new Map(entries.map(({ path, wasSha256 }) => [path, wasSha256]));
  const readBase = async (path: string) => {
    const sha256 = originals.get(path);
    return sha256 === undefined ? null : ledger.blobs.read(sha256).catch(() => null);
  };
  const { diffLayer } = await loadLayerDiff();
  return diffLayer({ entries }, { readBase, readBlob: (sha256) => ledger.blobs.read(sha256), isHidden: () => false });
}

/** The goals of the runs that the followed one follows in turn, the oldest first. */
async function listEarlier({ ledger }: GoalPorts, created: RunEvent | undefined): Promise<string[]> {
  const goals: string[] = [];
  for (let next = followedBy(created); next !== null && goals.length < MAX_EARLIER; ) {
    const [first] = await ledger.events(next, { limit: 1 });
    if (!first) break; // it was pruned
    goals.unshift(cut(goalOf(first), MAX_REASON_CHARS));
    next = followedBy(first);
  }
  return goals;
}

function followedBy(created: RunEvent | undefined): string | null {
  const { run } = Object(Object(created?.data.request).follow);
  return typeof run === "string" ? run : null;
}

function goalOf(created: RunEvent | undefined): string {
  return String(Object(created?.data.request).goal ?? created?.data.title ?? "");
}

function limit(lines: readonly string[], most: number): string[] {
  return lines.length > most ? [...lines.slice(0, most), `- and ${lines.length - most} more`] : [...lines];
}

function cut(text: string, chars: number): string {
  return cutText(text, chars, "… (cut)");
}
