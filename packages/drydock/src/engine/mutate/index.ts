export { type RunPython, spoilExpectations, type TestFile } from "./spoil/spoil-expectations.ts";
import type { RunPython, Spoiled, TestFile } from "./spoil/spoil-expectations.ts";
export const spoilData = (_p: string, c: Buffer): Buffer | null => Buffer.concat([c, Buffer.from("x")]);
export const spoilExports = async (_f: readonly TestFile[], _r: RunPython): Promise<Spoiled[]> => [];
