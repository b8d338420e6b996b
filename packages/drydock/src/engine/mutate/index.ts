export type { Expectation, ExpectingFile, Spoiled, TestFile, TestSpan } from "./spoil/expectation.ts";
export { spoilData } from "./spoil/spoil-data.ts";
export { findExpectations, spoilExpectations, spoilFile } from "./spoil/spoil-expectations.ts";
export { spoilExports } from "./spoil/spoil-exports.ts";
export { isMakefile } from "./spoil/spoil-recipes.ts";
export { measureChangeStrength, measureSourceStrength } from "./strength/measure-source.ts";
export type { StrengthProgress } from "./strength/measure-strength.ts";
