import { OPERATIONS } from "@drydock/protocol/http";
import { checkModelName } from "../guard/check-model-name.ts";
import { HttpProblem } from "../guard/http-problem.ts";
import type { AddRoute } from "../route/add-route.ts";
import type { ServerContext } from "../server-context.ts";
import { forwardCall, toOutcomeResponse } from "./answer-outcome.ts";

export function addCapabilities(add: AddRoute, { dock: { extensions }, model }: ServerContext): void {
  add("executeCapability", OPERATIONS.executeCapability, async ({ body: { route, ...context }, signal, emit }) => {
    checkModelName(context.model);
    return toOutcomeResponse(
      await extensions.execute(route, { model, ...context, signal, ...forwardCall(emit) }),
      emit,
    );
  });
  add("listCapabilities", OPERATIONS.listCapabilities, async () => ({ tools: await extensions.tools() }));
  add("completeCapability", OPERATIONS.completeCapability, async ({ body }) => ({
    completions: await extensions.complete(body.line),
  }));
  add("helpCapability", OPERATIONS.helpCapability, async ({ query: { of = "" } }) => ({
    text: await extensions.help(of.split(/\s+/).filter((word) => word !== "")),
  }));
  add("listCapabilityRuns", OPERATIONS.listCapabilityRuns, ({ query }) => extensions.history(query));
  add("listQueue", OPERATIONS.listQueue, () => ({ calls: extensions.queue.list() }));
  add("cancelQueued", OPERATIONS.cancelQueued, ({ params: { runId } }) => {
    if (extensions.queue.cancel(runId)) return { runId, cancelled: true as const };
    throw new HttpProblem(404, {
      code: "run.not_found",
      message: `No call of this server that waits or runs is ${runId}.`,
      hint: "GET /capabilities/queue lists them; POST /runs/{id}/cancel reaches runs of other processes.",
      data: { runId },
    });
  });
}
