export { spoilData } from "./spoil/spoil-data.ts";
export { type RunPython, spoilExpectations, type TestFile } from "./spoil/spoil-expectations.ts";
export { spoilExports } from "./spoil/spoil-exports.ts";
