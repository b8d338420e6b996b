/** What other use cases use of this one. */
export { applyRun } from "./deliver.ts";
export { readRunLayer, recordDelivery } from "./delivery-record.ts";
export { readAutorun } from "./read-autorun.ts";
