import { OPERATIONS } from "@drydock/protocol/http";
import { loadHttpTokens } from "../../../app/index.ts";
import type { AddRoute } from "../route/add-route.ts";
import type { ServerContext } from "../server-context.ts";

export function addTokens(add: AddRoute, { dock: { home } }: ServerContext): void {
  add("listTokens", OPERATIONS.listTokens, async () => ({ tokens: (await loadHttpTokens()).listHttpTokens(home) }));
  add("createToken", OPERATIONS.createToken, async ({ body }) => (await loadHttpTokens()).createHttpToken(home, body));
  add("revokeToken", OPERATIONS.revokeToken, async ({ params: { id } }) =>
    (await loadHttpTokens()).revokeHttpToken(home, id),
  );
}
