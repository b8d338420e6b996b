export type * from "./repair-types.ts";
export { searchRepair } from "./search-repair.ts";
