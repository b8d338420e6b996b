export type { CapabilityCall, CapabilityRunner, RunnerOutcome, RunnerPorts } from "./ports.ts";
