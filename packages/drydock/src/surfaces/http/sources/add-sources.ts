import { OPERATIONS } from "@drydock/protocol/http";
import type { AddRoute } from "../route/add-route.ts";
import type { ServerContext } from "../server-context.ts";

/** Where events come from, and answers go to. */
export function addSources(add: AddRoute, { dock }: ServerContext): void {
  const { sources } = dock.host;
  add("listSourceTypes", OPERATIONS.listSourceTypes, async () => ({ types: await sources.types() }));
  add("listSources", OPERATIONS.listSources, async () => ({ sources: await sources.list() }));
  add("getSource", OPERATIONS.getSource, ({ params }) => sources.find(params.name));
  add("createSource", OPERATIONS.createSource, ({ body }) => sources.add(body));
  add("changeSource", OPERATIONS.changeSource, ({ params, body }) => sources.change(params.name, body));
  add("removeSource", OPERATIONS.removeSource, ({ params }) => sources.remove(params.name));
  add("testSource", OPERATIONS.testSource, ({ params, signal }) => sources.test(params.name, { signal }));
}
