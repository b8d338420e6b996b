import { OPERATIONS } from "@drydock/protocol/http";
import { checkModelName } from "../guard/check-model-name.ts";
import type { AddRoute } from "../route/add-route.ts";
import type { ServerContext } from "../server-context.ts";

/** Who decides, where a caller gives no name. */
const BY = "http";

export function addProfile(add: AddRoute, { dock, model }: ServerContext): void {
  const { profiles } = dock;
  add("getProfile", OPERATIONS.getProfile, ({ query }) => profiles.get(query.workspace));
  add("pendingProfiles", OPERATIONS.pendingProfiles, async () => ({ profiles: await profiles.pending() }));
  add("proposeProfile", OPERATIONS.proposeProfile, ({ body, signal }) => {
    if (typeof body.model === "string") checkModelName(body.model);
    return profiles.propose({ by: BY, model, ...body, signal });
  });
  add("approveProfile", OPERATIONS.approveProfile, async ({ body }) => ({
    profile: await profiles.approve({ by: BY, ...body }),
  }));
  add("rejectProfile", OPERATIONS.rejectProfile, async ({ body }) => ({
    profile: await profiles.reject({ by: BY, ...body }),
  }));
}
