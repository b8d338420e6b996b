import { OPERATIONS } from "@drydock/protocol/http";
import { HttpProblem } from "../guard/http-problem.ts";
import type { AddRoute } from "../route/add-route.ts";
import type { ServerContext } from "../server-context.ts";

export function addSystem(add: AddRoute, { dock, activity, metrics }: ServerContext, version: string): void {
  add("health", OPERATIONS.health, () => ({ status: "ok" as const, version }));
  add("ready", OPERATIONS.ready, async () => {
    if (activity.draining.aborted) {
      throw new HttpProblem(503, { message: "The server is shutting down.", hint: "Use another one, or try later." });
    }
    await dock.runs.list({ limit: 1 });
    return { ready: true } as const;
  });
  add("metrics", OPERATIONS.metrics, () => metrics.write());
}
