/** Writes runners for a host of agents, serves them from a plugin's process, and tests them without a host. */
export {
  ApiError,
  type Message,
  type MessageChunk,
  type RunContext,
  type RunInput,
  type RunnerManifest,
  type RunResources,
  readText,
} from "@drydock/protocol/runner";
export type { HostAnswers } from "./harness/host-double.ts";
export { type TestedRun, type TestOptions, testRunner } from "./harness/test-runner.ts";
export type { ChunkStream, HostApi } from "./host-api.ts";
export * from "./results.ts";
export { defineRunner, type Plugin, type Runner, type RunnerContext, type RunnerResult } from "./runner.ts";
export { RunCancelled, RunnerError } from "./runner-error.ts";
export { servePlugin } from "./serve-plugin.ts";
