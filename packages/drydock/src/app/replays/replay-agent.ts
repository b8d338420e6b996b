import { countWord, type Divergence, DrydockError } from "@drydock/protocol";
import * as z from "zod";
import { nameParent, titleOfReplay } from "../runs/exec-ports.ts";
import type { RecordedRun } from "../runs/recorded/recorded-run.ts";
import { asDrydockError } from "../runs/refuse-run.ts";
import { Attached, readAttached, restoreAttached } from "./attached-files.ts";
import { checkParts } from "./find-alterations.ts";
import { choosePolicy, refuseNetwork } from "./frozen-policy.ts";
import { findObstacle, isInstallation, readParts } from "./read-recorded.ts";
import type { Replayed, ReplayPorts, ReplayRequest } from "./replayer.ts";
import { REPLAYERS } from "./replayers.ts";

/** Tools of the conversation's sandbox that may have no run of their own to name. */
const SANDBOX_TOOLS = new Set(["session_exec", "session_rollback", "execute_python_task", "execute_python_workflow"]);

const RecordedAgent = z.object({ attachments: z.array(Attached).default([]) });

/**
 * A call of an agent, or an answer to words: all that it executed in sandboxes, part by part. Its tools may be functions of a
 * program that is not here, and the model is not asked: what these gave is taken from the record, whose hashes were checked.
 */
export async function replayAgent(
  ports: ReplayPorts,
  recorded: RecordedRun,
  request: ReplayRequest,
): Promise<Replayed> {
  const { run, events } = recorded;
  const { ledger } = ports;
  const parts = chooseParts(await readParts(ports, run.id));
  refuseNetwork(parts.chosen, request);
  const policy = await choosePolicy(ports, recorded, request, run.workspace);
  const { id: runId } = await ledger.createRun({
    kind: "agent",
    title: titleOfReplay(run.id),
    workspace: run.workspace,
    data: { policy, request: events[0]?.data.request, ...nameParent(request), replayOf: run.id },
  });
  await keepAttached(ports, recorded, runId);
  const end = { verdict: "unverified", treeHash: null, error: null } as const;
  try {
    const replayed = await replayParts(ports, recorded, parts.chosen, { ...request, parentRunId: runId });
    const notes = [...parts.notes, ...replayed.notes, ...noteTaken(recorded, parts.chosen.length)];
    const divergences = replayed.divergences.length;
    await ledger.finish(runId, { type: "run.succeeded", data: { ...end, notes, divergences } });
    return { ...replayed, runId, notes };
  } catch (error) {
    const known = asDrydockError(error);
    const type = request.signal.aborted ? "run.cancelled" : "run.failed";
    await ledger.finish(runId, { type, data: { ...end, error: known.toInfo() } });
    throw error;
  }
}

/** What is executed again. Steps of one session are executed together: the last of them stands for all. */
function chooseParts(parts: readonly RecordedRun[]): { chosen: RecordedRun[]; notes: string[] } {
  const notes: string[] = [];
  const skip = ({ run }: RecordedRun, reason: string) => notes.push(`${run.id} was not executed again: ${reason}`);
  const chosen = parts.filter((part) => {
    const { run, events } = part;
    const obstacle = findObstacle(run);
    // The code of a task in a conversation ran as steps of its session, which are parts themselves.
    if (run.kind === "task" || run.kind === "workflow") return false;
    if (run.kind === "session") {
      const isLater = (other: RecordedRun) => other.run.sessionId === run.sessionId && other.run.id > run.id;
      return isStep(part) && !parts.some((other) => isLater(other) && isStep(other));
    }
    if (obstacle !== null) skip(part, obstacle);
    else if (events[0]?.data.policy === null) skip(part, `it was refused before it started (${run.errorCode})`);
    else if (isInstallation(part)) skip(part, "it installed packages, which are there");
    else return true;
    return false;
  });
  return { chosen, notes };
}

function isStep({ run }: RecordedRun): boolean {
  return run.kind === "session" && findObstacle(run) === null;
}

type PartsReplayed = Omit<Replayed, "runId">;

async function replayParts(
  ports: ReplayPorts,
  recorded: RecordedRun,
  parts: readonly RecordedRun[],
  request: ReplayRequest,
): Promise<PartsReplayed> {
  const divergences: Divergence[] = [];
  const notes: string[] = [];
  let treeHash: string | null = null;
  let steps = 0;
  for (const part of parts) {
    request.signal.throwIfAborted();
    const { id, kind } = part.run;
    const name = (found: readonly Divergence[]) => found.map((each) => ({ ...each, step: `${id} ${each.step}` }));
    divergences.push(...(await checkParts(ports, [part])));
    const place = await openPlace(ports, recorded, part, request);
    try {
      const replayed = await REPLAYERS[kind](ports, part, place.request);
      divergences.push(...name(replayed.divergences));
      notes.push(...replayed.notes);
      treeHash = replayed.treeHash ?? treeHash;
      steps += replayed.steps;
    } catch (error) {
      // What can't be repeated is said; all else of the agent's work is still compared.
      if (!(error instanceof DrydockError) || error.code !== "input.invalid") throw error;
      notes.push(error.message);
    } finally {
      await place.close();
    }
  }
  return { verdict: "unverified", treeHash, steps, divergences, notes };
}

/** Attachments without a workspace had a directory of their own, which is made again. */
async function openPlace(ports: ReplayPorts, { run, events }: RecordedRun, part: RecordedRun, request: ReplayRequest) {
  const nothing = { request, close: async () => {} };
  const { attachments } = RecordedAgent.parse(events[0]?.data.request ?? {});
  if (run.workspace !== null || part.run.workspace === null || attachments.length === 0) return nothing;
  const restored = await restoreAttached(ports, run.id, attachments);
  return { request: { ...request, workspace: restored.path }, close: restored.remove };
}

/** The replay has the attachments of the run itself: it can be replayed although the run was pruned. */
async function keepAttached(ports: ReplayPorts, { run, events }: RecordedRun, runId: string): Promise<void> {
  const { attachments } = RecordedAgent.parse(events[0]?.data.request ?? {});
  const files = await readAttached(ports, run.id, attachments).catch(() => []);
  if (files.length === 0) return;
  await ports.ledger.blobs.putAll(
    files.map(({ content }) => content),
    { runId },
  );
}

function noteTaken({ events }: RecordedRun, parts: number): string[] {
  const own = events.filter(
    ({ type, data }) => type === "tool.finished" && !data.callRunId && !SANDBOX_TOOLS.has(String(data.name)),
  );
  const answers = events.filter(({ type }) => type === "model.answered");
  return [
    ...(parts === 0 ? ["it executed nothing in a sandbox: only its record was checked"] : []),
    ...count(answers.length, "of the model", "answer"),
    ...count(own.length, "of tools that are functions of the program", "result"),
  ];
}

function count(many: number, what: string, word: string): string[] {
  if (many === 0) return [];
  return [`${countWord(many, `${word} ${what} was`, `${word}s ${what} were`)} taken from the record`];
}
