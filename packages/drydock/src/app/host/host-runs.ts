import {
  AppendResults,
  DrydockError,
  ErrorInfo,
  explainIssues,
  FinalizeRun,
  type HostEvent,
  type HostRun,
  hasEnded,
  NewControlledRun,
  type Run,
  type RunEvent,
  TERMINAL_EVENTS,
} from "@drydock/protocol";
import type * as z from "zod";
import { conversationKey, type Host } from "../../host/index.ts";
import type { Ledger } from "../../ledger/index.ts";
import { requireRun } from "../runs/require-run.ts";
import type { HostRuns } from "./resources-api.ts";

const EVENTS_PAGE = 1000;

export interface HostRunPorts {
  host: Pick<Host, "controlledRuns">;
  ledger: Pick<Ledger, "getRun" | "listRuns" | "events" | "requests" | "recover">;
}

export function createHostRuns({ host: { controlledRuns }, ledger }: HostRunPorts): HostRuns {
  const requireOwn = async (runId: string): Promise<Run> => {
    const run = await requireRun(ledger, runId);
    if (run.kind === "runner") return run;
    const hint = "GET /host/runs lists the runs of agents, GET /runs/ID shows any run.";
    throw new DrydockError("run.not_found", `The run ${runId} is not one of an agent.`, hint, {
      runId,
      kind: run.kind,
    });
  };
  /** A run that this process does not control may have ended: then that is what is to be said. */
  const explain = async <T>(runId: string, call: () => Promise<T>): Promise<T> => {
    const run = await requireOwn(runId);
    return call().catch((error: unknown) => {
      if (error instanceof DrydockError && error.code === "run.not_found" && hasEnded(run)) throw ended(run);
      throw error;
    });
  };
  return {
    create: async (request) => controlledRuns.create(check(NewControlledRun, request)),
    async get(runId) {
      await ledger.recover();
      const run = await requireOwn(runId);
      const [created] = await ledger.events(run.id, { limit: 1 });
      const [last] = hasEnded(run) ? await ledger.events(run.id, { afterSeq: run.events - 2, limit: 1 }) : [];
      return describe(run, created?.data.request, last);
    },
    async list({ limit, cursor, status } = {}) {
      const { runs, nextCursor } = await ledger.listRuns({ kind: "runner", limit, cursor, status });
      return { runs, cursor: nextCursor };
    },
    async events(runId, { after } = {}) {
      const { id } = await requireOwn(runId);
      return ledger.events(id, { afterSeq: after, limit: EVENTS_PAGE });
    },
    async cancel(runId) {
      await ledger.recover();
      const run = await requireOwn(runId);
      if (hasEnded(run)) throw ended(run);
      if (!(await controlledRuns.cancel(run.id))) await ledger.requests.send(run.id, "cancel");
    },
    append: (runId, request) => explain(runId, async () => controlledRuns.append(runId, check(AppendResults, request))),
    finalize: (runId, request) =>
      explain(runId, async () => controlledRuns.finalize(runId, check(FinalizeRun, request))),
  };
}

function describe(run: Run, created: unknown, last: RunEvent | undefined): HostRun {
  const { eventId, agent, binding, event, controlled } = Object(created) as {
    eventId?: string;
    agent?: { name: string; runner: string };
    binding?: string | null;
    event?: HostEvent;
    controlled?: boolean;
  };
  const key = event ? conversationKey(event) : null;
  const error = ErrorInfo.safeParse(last && TERMINAL_EVENTS.includes(last.type) ? last.data.error : null);
  return {
    ...run,
    ...{ eventId: eventId ?? null, agent: agent?.name ?? null, runner: agent?.runner ?? null },
    ...{ binding: binding ?? null, conversation: key === null ? null : `cnv_${key}` },
    ...{ controlled: controlled === true, error: error.success ? error.data : null },
  };
}

function ended({ id: runId, status }: Run): DrydockError {
  const hint = "A run that has ended never changes.";
  return new DrydockError("run.ended", `The run ${runId} has ended (${status}).`, hint, { runId, status });
}

function check<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const problems = explainIssues(read.error.issues.slice(0, 5), "the request");
  const hint = "The guide on agents of the host describes runs that a platform carries out.";
  throw new DrydockError("input.invalid", `The request can't be read: ${problems.join("; ")}.`, hint, { problems });
}
