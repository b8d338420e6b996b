export type { DeliveryHooks, DeliveryOutcome, LayerContents } from "./deliver-layer.ts";
export { deliverLayer } from "./deliver-layer.ts";
export type { OpenDelivery } from "./delivery-room.ts";
export type { DeliveryJournal } from "./journal.ts";
export { keepBases, MAX_BASE_BYTES } from "./keep-bases.ts";
export type { Conflict } from "./plan-delivery.ts";
export { recoverDeliveries } from "./recover-deliveries.ts";
export { revertDelivery } from "./revert-delivery.ts";
