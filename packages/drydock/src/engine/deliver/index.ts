export type { DeliveryHooks, DeliveryOutcome, LayerContents } from "./deliver-layer.ts";
export { deliverLayer } from "./deliver-layer.ts";
export { lockWorkspace, type OpenDelivery } from "./delivery-room.ts";
export { type CommitOutcome, commitLayer } from "./git/commit-layer.ts";
export { removeBranch } from "./git/remove-branch.ts";
export type { DeliveryJournal } from "./journal.ts";
export type { Conflict } from "./plan-delivery.ts";
export { recoverDeliveries } from "./recover-deliveries.ts";
export { revertDelivery } from "./revert-delivery.ts";
