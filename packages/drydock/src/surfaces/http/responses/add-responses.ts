import { OPERATIONS } from "@drydock/protocol/http";
import { HttpProblem } from "../guard/http-problem.ts";
import type { AddRoute } from "../route/add-route.ts";
import type { ServerContext } from "../server-context.ts";

export function addResponses(add: AddRoute, { dock }: ServerContext): void {
  const { responses } = dock.extensions;
  add("listResponses", OPERATIONS.listResponses, async ({ query: { session, limit } }) => ({
    responses: await responses.history(session, { limit }),
  }));
  add("clearResponses", OPERATIONS.clearResponses, async ({ query: { session } }) => ({
    session,
    removed: await responses.clear(session),
  }));
  add("getLastResponse", OPERATIONS.getLastResponse, async ({ query }) => ({
    response: await responses.last(query.session),
  }));
  add("countResponses", OPERATIONS.countResponses, ({ query }) => responses.totals(query.session));
  add("getResponse", OPERATIONS.getResponse, async ({ params: { id } }) => {
    const found = await responses.read(id);
    if (found) return found;
    const hint = "It may have expired; GET /responses?session=… lists those of a conversation.";
    throw new HttpProblem(404, { message: `There is no response ${id}.`, hint, data: { responseId: id } });
  });
}
