import { OPERATIONS } from "@drydock/protocol/http";
import type { AddRoute } from "../route/add-route.ts";
import type { ServerContext } from "../server-context.ts";

/** Runs of agents, for platforms that carry them out or watch them. */
export function addHostRuns(add: AddRoute, { dock: { host } }: ServerContext): void {
  const { runs } = host;
  add("createHostRun", OPERATIONS.createHostRun, ({ body }) => runs.create(body));
  add("listHostRuns", OPERATIONS.listHostRuns, ({ query }) => runs.list(query));
  add("getHostRun", OPERATIONS.getHostRun, ({ params }) => runs.get(params.id));
  add("listHostRunEvents", OPERATIONS.listHostRunEvents, async ({ params, query }) => ({
    events: await runs.events(params.id, query),
  }));
  add("cancelHostRun", OPERATIONS.cancelHostRun, async ({ params: { id } }) => {
    await runs.cancel(id);
    return { runId: id, asked: "cancel" } as const;
  });
  add("appendResults", OPERATIONS.appendResults, ({ params, body }) => runs.append(params.id, body));
  add("finalizeRun", OPERATIONS.finalizeRun, ({ params, body }) => runs.finalize(params.id, body));
}
