import { DrydockError, type EventGroup, hasEnded, REPORT_MEDIA, type Run, type RunFilter } from "@drydock/protocol";
import { OPERATIONS, type OperationRequest } from "@drydock/protocol/http";
import { reportRunId } from "../background-runs.ts";
import { checkModelName } from "../guard/check-model-name.ts";
import { readLine } from "../inputs.ts";
import { type AddRoute, acceptsStream } from "../route/add-route.ts";
import type { ServerContext } from "../server-context.ts";
import { startRun } from "./start-run.ts";
import { readLastEventId, streamEvents } from "./stream-events.ts";

const REPORT_HEADERS = {
  // What a run has written stands in the page: it may be looked at, and reach nothing from there.
  "content-security-policy": "sandbox allow-scripts; default-src 'none'; style-src 'unsafe-inline'; img-src data:",
  "x-content-type-options": "nosniff",
};

export function addRuns(add: AddRoute, server: ServerContext): void {
  const { dock, background, inputs } = server;
  const { runs, goals } = dock;
  add("createRun", OPERATIONS.createRun, ({ body }) => startRun(server, body));
  add("listRuns", OPERATIONS.listRuns, ({ query: { limit, cursor, ...filter } }) =>
    runs.list({ limit, cursor, ...readFilter(filter) }),
  );
  add("countRuns", OPERATIONS.countRuns, ({ query }) => runs.counts(readFilter(query)));
  add("runHistory", OPERATIONS.runHistory, ({ query }) => runs.history(query));
  add("getRun", OPERATIONS.getRun, async ({ params }) => {
    const run = await runs.get(params.id);
    return { ...run, error: await runs.error(run.id) };
  });
  add("listEvents", OPERATIONS.listEvents, async ({ params, query, headers, signal }) => {
    if (!acceptsStream(headers)) {
      return runs.eventPage(params.id, { ...query, groups: splitList<EventGroup>(query.groups) });
    }
    return streamEvents(server, params.id, readLastEventId(headers) ?? query.after ?? -1, signal);
  });
  add("getRunOutput", OPERATIONS.getRunOutput, ({ params }) => runs.output(params.id));
  add("cancelRun", OPERATIONS.cancelRun, async ({ params: { id } }) => {
    await background.cancel(id);
    return { runId: id, asked: "cancel" } as const;
  });
  add("giveRunInput", OPERATIONS.giveRunInput, ({ params: { id }, body }) => {
    inputs.give(id, readLine(body));
    return { runId: id, accepted: true } as const;
  });
  add("pauseRun", OPERATIONS.pauseRun, async ({ params: { id } }) => {
    await goals.pause(id);
    return { runId: id, asked: "pause" } as const;
  });
  add("resumeRun", OPERATIONS.resumeRun, async ({ params: { id }, body }) => {
    checkModelName(body.model);
    await refuseEnded(server, id);
    await background.start((signal, begun) => goals.resume(id, { ...body, signal, onEvent: reportRunId(begun) }));
    return runs.get(id);
  });
  add("continueFrom", OPERATIONS.continueFrom, async ({ params: { id }, body: { task, ...options } }) => {
    checkModelName(options.model);
    const started = await background.start((signal, begun) =>
      goals.runFrom(id, task, { ...options, signal, onEvent: reportRunId(begun) }),
    );
    return runs.get(started);
  });
  add("replayRun", OPERATIONS.replayRun, ({ params, body, signal }) => runs.replay(params.id, { ...body, signal }));
  add("diffRun", OPERATIONS.diffRun, ({ params }) => runs.diff(params.id));
  add("reportRun", OPERATIONS.reportRun, async ({ params, query: { format = "html" } }) => {
    const headers = { ...REPORT_HEADERS, "content-type": REPORT_MEDIA[format] };
    return new Response(await runs.report(params.id, { format }), { headers });
  });
  add("receiptRun", OPERATIONS.receiptRun, async ({ params }) => (await runs.receipt(params.id)).text);
  add("applyRun", OPERATIONS.applyRun, ({ params, body, signal }) => runs.apply(params.id, { ...body, signal }));
  add("revertRun", OPERATIONS.revertRun, ({ params, signal }) => runs.revert(params.id, { signal }));
  add("discardRun", OPERATIONS.discardRun, ({ params }) => runs.discard(params.id));
  add("listArtifacts", OPERATIONS.listArtifacts, async ({ params }) => ({
    artifacts: await runs.artifacts(params.id),
  }));
}

type Filter = NonNullable<OperationRequest<typeof OPERATIONS.countRuns>["query"]>;

function readFilter({ status, verdict, kind, ...others }: Filter): RunFilter {
  return {
    ...others,
    status: splitList<Run["status"]>(status),
    verdict: splitList<Run["verdict"]>(verdict),
    kind: splitList<Run["kind"]>(kind),
  };
}

/** The schema has checked each of the values. */
function splitList<T extends string>(text: string | undefined): readonly T[] | undefined {
  return text?.split(",") as T[] | undefined;
}

/** One that has ended would only be delivered, and tell nothing of it before the end. */
async function refuseEnded({ dock }: ServerContext, runId: string): Promise<void> {
  const run = await dock.runs.get(runId);
  if (run.kind === "goal" && !hasEnded(run)) return;
  throw new DrydockError(
    "input.invalid",
    `Run ${runId} can't be resumed: it ${run.kind === "goal" ? `has ended (${run.status})` : `is of kind ${run.kind}`}.`,
    "Only a goal that was paused or interrupted can be resumed; `apply` delivers one that passed.",
    { runId, status: run.status },
  );
}
