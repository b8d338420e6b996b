import { OPERATIONS } from "@drydock/protocol/http";
import type { AddRoute } from "../route/add-route.ts";
import type { ServerContext } from "../server-context.ts";

/** Values go in and never come out: no answer holds one. */
export function addSecrets(add: AddRoute, { dock }: ServerContext): void {
  const { secrets } = dock.extensions;
  add("listSecrets", OPERATIONS.listSecrets, async () => ({ names: await secrets.list() }));
  add("setSecret", OPERATIONS.setSecret, async ({ body: { name, value } }) => {
    await secrets.set(name, value);
    return { name, stored: true as const };
  });
  add("removeSecret", OPERATIONS.removeSecret, async ({ params: { name } }) => ({
    name,
    removed: await secrets.remove(name),
  }));
}
