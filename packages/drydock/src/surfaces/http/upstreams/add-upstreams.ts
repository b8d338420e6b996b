import { OPERATIONS } from "@drydock/protocol/http";
import type { AddRoute } from "../route/add-route.ts";
import type { ServerContext } from "../server-context.ts";

export function addUpstreams(add: AddRoute, { dock: { upstreams } }: ServerContext): void {
  add("listUpstreams", OPERATIONS.listUpstreams, async () => ({ upstreams: await upstreams.list() }));
  add("testUpstream", OPERATIONS.testUpstream, async ({ params: { name } }) => upstreams.test(name));
}
