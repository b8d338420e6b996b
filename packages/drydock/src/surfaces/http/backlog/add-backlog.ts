import { OPERATIONS } from "@drydock/protocol/http";
import { reportRunId } from "../background-runs.ts";
import { checkModelName } from "../guard/check-model-name.ts";
import type { AddRoute } from "../route/add-route.ts";
import type { ServerContext } from "../server-context.ts";

export function addBacklog(add: AddRoute, { dock, background, model }: ServerContext): void {
  const { tasks } = dock;
  add("addBacklogTask", OPERATIONS.addBacklogTask, ({ body }) => tasks.add(body.workspace, body.task));
  add("listBacklog", OPERATIONS.listBacklog, async ({ query }) => ({ tasks: await tasks.list(query) }));
  add("runBacklog", OPERATIONS.runBacklog, async ({ body }) => {
    checkModelName(body.model);
    const runId = await background.start((signal, begun) =>
      tasks.run({ model, ...body, signal, onEvent: reportRunId(begun) }),
    );
    return dock.runs.get(runId);
  });
  add("cancelBacklogTask", OPERATIONS.cancelBacklogTask, async ({ params: { id }, body }) => {
    await tasks.cancel(body.workspace, id);
    return { id, status: "cancelled" } as const;
  });
}
