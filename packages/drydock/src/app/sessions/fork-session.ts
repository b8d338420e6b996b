import { DrydockError } from "@drydock/protocol";
import type { SandboxSession } from "../../sandbox/index.ts";
import { asDrydockError } from "../runs/refuse-run.ts";
import type { Session } from "./api.ts";
import { newSessionId, type SessionOrigin, type SessionParts } from "./session-parts.ts";

const MOST_AT_ONCE = 1000;

/** What to do about it, by the warden's word for why. */
const HINTS: Record<string, string> = {
  language: "Open a Python session.",
  threads: "End its threads first: join them, or leave the block of their pool.",
  processes: "End them first: wait for them, or kill them.",
  files: "Delete files that the forks don't need, or raise the limit: `drydock policy set limits.diskMb 1024`.",
  limit:
    "Make fewer, or raise the limit: `drydock policy set limits.processes 256`. As an ordinary user, a session and its forks share this limit.",
  machine: "Open a separate session for each copy.",
};

interface ForkRequest {
  count: number;
  signal?: AbortSignal;
}

/** Copies of a session as it is now: all of them, or none. The record of each names what it is a copy of. */
export async function forkSession(
  parts: SessionParts,
  origin: SessionOrigin,
  { count, signal }: ForkRequest,
  create: (origin: SessionOrigin) => Session,
): Promise<Session[]> {
  const { ledger } = parts.ports;
  const { language = "python" } = parts.options;
  checkCount(count);
  if (signal?.aborted) throw cancelled(origin.id);
  using _room = parts.hooks.admit(count);
  const ids = Array.from({ length: count }, newSessionId);
  const { forkedFrom } = origin;
  const record = (sessionId: string) => ({
    kind: "session" as const,
    title: `fork of ${origin.id} after step ${forkedFrom?.step ?? 0}`,
    sessionId,
    workspace: parts.place.workspace,
    data: { policy: parts.place.policy, request: { language, forkedFrom } },
  });
  const runs = await Promise.all(ids.map((sessionId) => ledger.createRun(record(sessionId))));
  const finish = (terminal: Parameters<typeof ledger.finish>[1]) =>
    Promise.all(runs.map(({ id }) => ledger.finish(id, terminal)));
  const forks = await makeForks(origin, language, { count, signal }).catch(async (error: unknown) => {
    const known = asDrydockError(error);
    const type = known.code === "run.cancelled" ? "run.cancelled" : "run.failed";
    await finish({ type, data: { error: known.toInfo(), notes: [] } });
    throw error;
  });
  try {
    await finish({ type: "run.succeeded", data: { error: null, notes: [] } });
    const { idleSeconds } = parts.place.policy.sessions;
    for (const id of ids) await ledger.sessions.open({ id, language, idleSeconds });
  } catch (error) {
    for (const fork of forks) fork.close();
    throw error;
  }
  const sessions = forks.map((live, at) => create({ ...origin, live, id: ids[at] ?? newSessionId() }));
  if (signal?.aborted) {
    // Nobody else knows them: the caller left while they were put on record.
    await Promise.all(sessions.map((session) => session.close()));
    throw cancelled(origin.id);
  }
  return sessions;
}

async function makeForks(
  { id, live }: SessionOrigin,
  language: string,
  { count, signal }: ForkRequest,
): Promise<SandboxSession[]> {
  if (language !== "python") throw refusal(id, "language", "only Python can be copied");
  const outcome = await live.fork(count);
  if (!outcome.ok) throw refusal(id, outcome.why, outcome.reason);
  if (signal?.aborted) {
    // Nobody else knows them.
    for (const fork of outcome.forks) fork.close();
    throw cancelled(id);
  }
  return outcome.forks;
}

function checkCount(count: number): void {
  if (Number.isInteger(count) && count >= 1 && count <= MOST_AT_ONCE) return;
  throw new DrydockError(
    "input.invalid",
    `A session can't be forked ${count} times at once.`,
    `Name a whole number from 1 to ${MOST_AT_ONCE}.`,
  );
}

function cancelled(id: string): DrydockError {
  return new DrydockError("run.cancelled", `Forking the session ${id} was cancelled.`, "The session is as it was.");
}

function refusal(id: string, why: string, reason: string): DrydockError {
  return new DrydockError(
    "session.fork_refused",
    `The session ${id} can't be forked: ${reason}.`,
    HINTS[why] ?? "Run `drydock doctor`, or open a separate session for each copy.",
    { sessionId: id, why },
  );
}
