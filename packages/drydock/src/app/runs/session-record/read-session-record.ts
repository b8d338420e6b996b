import type { PolicyDocument, RunEvent } from "@drydock/protocol";
import type { Ledger } from "../../../ledger/index.ts";
import { readAllEvents } from "../read-all-events.ts";
import type { TracedRollback, TracedStep } from "./trace-history.ts";

export interface RecordedStep extends TracedStep {
  runId: string;
  code: string;
  /** What the step asked for beside its session. */
  policy: PolicyDocument | undefined;
  unsafe: boolean;
  ok: boolean;
  stdout: string;
  stderr: string;
  treeHash: string | null;
  /** Why running it again would be something else, in words that follow its number; null: nothing known. */
  obstacle: string | null;
}

type SessionEntry = RecordedStep | TracedRollback;

const PAGE = 1000;

/** What the ledger has of a session, in order. A fork begins with what the session did that it was copied from. */
export async function readSessionRecord(ledger: Ledger, sessionId: string, before?: string): Promise<SessionEntry[]> {
  const entries: SessionEntry[] = [];
  for (const runId of await listRuns(ledger, sessionId)) {
    if (before !== undefined && runId >= before) break;
    const events = await readAllEvents(ledger, runId);
    const origin = readOrigin(events);
    if (origin) {
      entries.unshift(...(await readSessionRecord(ledger, origin.sessionId, runId)));
      entries.push({ kind: "rollback", to: origin.step });
    }
    const entry = readEntry(runId, events);
    if (entry) entries.push(entry);
  }
  return entries;
}

/** The oldest first. */
async function listRuns(ledger: Ledger, session: string): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<Ledger["listRuns"]>> = await ledger.listRuns({ session, cursor, limit: PAGE });
    ids.push(...page.runs.map(({ id }) => id));
    cursor = page.nextCursor;
  } while (cursor !== null);
  return ids.reverse();
}

/** Of the first record of a fork, which has no code: the session and the step that it is a copy of. */
function readOrigin([created]: readonly RunEvent[]): { sessionId: string; step: number } | null {
  const { code, forkedFrom } = fieldsOf(created?.data.request);
  const { sessionId, step } = fieldsOf(forkedFrom);
  return code === undefined && typeof sessionId === "string" && typeof step === "number" ? { sessionId, step } : null;
}

function readEntry(runId: string, events: readonly RunEvent[]): SessionEntry | null {
  const rolledBack = events.find(({ type }) => type === "step.rolled_back");
  if (rolledBack) return { kind: "rollback", to: Number(rolledBack.data.to) };
  const request = fieldsOf(events[0]?.data.request);
  const end = events.find(({ type }) => type === "run.succeeded" || type === "run.failed");
  if (typeof request.code !== "string" || typeof request.step !== "number" || request.look === true || !end)
    return null;
  const output = fieldsOf(events.find(({ type }) => type === "output.recorded")?.data);
  const ok = end.type === "run.succeeded";
  return {
    kind: "step",
    step: request.step,
    isKept: typeof end.data.stateKept === "boolean" ? end.data.stateKept : ok,
    runId,
    code: request.code,
    policy: request.policy as PolicyDocument | undefined,
    unsafe: request.unsafe === true,
    ok,
    stdout: String(output.stdout ?? ""),
    stderr: String(output.stderr ?? ""),
    treeHash: typeof end.data.treeHash === "string" ? end.data.treeHash : null,
    obstacle: findObstacle(request, events),
  };
}

function findObstacle(request: Record<string, unknown>, events: readonly RunEvent[]): string | null {
  const has = (prefix: string) => events.some(({ type }) => type.startsWith(prefix));
  if (request.redacted === true) return "its code is recorded without its secrets";
  if (has("network.connected")) return "it used the network";
  if (has("input.")) return "it was given input";
  return null;
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
