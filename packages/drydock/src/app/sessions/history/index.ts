export { carryOutActions } from "./carry-out-actions.ts";
export { listActions } from "./list-actions.ts";
export { readSessionRecords } from "./read-records.ts";
