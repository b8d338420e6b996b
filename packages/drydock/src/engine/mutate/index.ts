export { measureChangeStrength, measureSourceStrength } from "./strength/measure-source.ts";
export type { StrengthProgress } from "./strength/measure-strength.ts";
