import { OPERATIONS } from "@drydock/protocol/http";
import type { AddRoute } from "../route/add-route.ts";
import type { ServerContext } from "../server-context.ts";

export function addKnowledge(add: AddRoute, { dock }: ServerContext): void {
  const { knowledge } = dock;
  add("listKnowledge", OPERATIONS.listKnowledge, async () => ({ knowledge: await knowledge.list() }));
  add("showKnowledge", OPERATIONS.showKnowledge, ({ params: { name }, query }) => knowledge.show(name, query));
  add("searchKnowledge", OPERATIONS.searchKnowledge, ({ params: { name }, body: { query, ...options } }) =>
    knowledge.search(name, query, options),
  );
  add("addKnowledge", OPERATIONS.addKnowledge, ({ params: { name }, body }) => knowledge.add(name, body.paths));
  add("refreshKnowledge", OPERATIONS.refreshKnowledge, ({ params: { name } }) => knowledge.refresh(name));
  add("removeKnowledge", OPERATIONS.removeKnowledge, ({ params: { name }, query }) => knowledge.remove(name, query));
}
