import { OPERATIONS } from "@drydock/protocol/http";
import { forwardCall, toOutcomeResponse } from "../capabilities/answer-outcome.ts";
import type { AddRoute } from "../route/add-route.ts";
import type { ServerContext } from "../server-context.ts";

export function addApprovals(add: AddRoute, { dock, model }: ServerContext): void {
  const { approvals } = dock.extensions;
  add("listApprovals", OPERATIONS.listApprovals, async ({ query }) => ({ approvals: await approvals.list(query) }));
  add("getApproval", OPERATIONS.getApproval, ({ params }) => approvals.get(params.id));
  add("approveCapability", OPERATIONS.approveCapability, async ({ params, body, signal, emit }) =>
    toOutcomeResponse(await approvals.approve(params.id, body, { model, signal, ...forwardCall(emit) }), emit),
  );
  add("denyCapability", OPERATIONS.denyCapability, ({ params, body }) => approvals.deny(params.id, body));
}
