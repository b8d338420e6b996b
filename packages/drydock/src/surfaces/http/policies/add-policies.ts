import { DrydockError } from "@drydock/protocol";
import { OPERATIONS } from "@drydock/protocol/http";
import type { AddRoute } from "../route/add-route.ts";
import type { ServerContext } from "../server-context.ts";

export function addPolicies(add: AddRoute, { dock }: ServerContext): void {
  add("showPolicy", OPERATIONS.showPolicy, ({ query }) => dock.policies.show(query));
  add("askPolicy", OPERATIONS.askPolicy, ({ body: { kind, value, ...options } }) =>
    dock.homePolicy.ask({ kind, value }, options),
  );
  add("getHomePolicy", OPERATIONS.getHomePolicy, () => dock.homePolicy.read());
  add("checkHomePolicy", OPERATIONS.checkHomePolicy, ({ body }) => dock.homePolicy.check(body.text));
  add("saveHomePolicy", OPERATIONS.saveHomePolicy, ({ body: { text, replaces } }) =>
    dock.homePolicy.save(text, { replaces }),
  );
  add("checkPolicy", OPERATIONS.checkPolicy, async ({ body }) => {
    try {
      return { ok: true, effective: (await dock.policies.show(body)).effective, error: null };
    } catch (error) {
      if (error instanceof DrydockError && error.code.startsWith("policy.")) {
        return { ok: false, effective: null, error: error.toInfo() };
      }
      throw error;
    }
  });
}
