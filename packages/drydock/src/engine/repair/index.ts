export type * from "./repair.ts";
export { searchRepair } from "./search-repair.ts";
