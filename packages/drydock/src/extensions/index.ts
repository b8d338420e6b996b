export { type ExtensionReading, type ReadExtension, readExtension } from "./format/read-extension.ts";
export { createRegistry } from "./install/create-registry.ts";
export type {
  Download,
  EnabledCommand,
  ExtensionRecord,
  InstallOptions,
  InstallPlan,
  Registry,
  RegistryOptions,
} from "./install/types.ts";
export type { CapabilityCall, CapabilityRunner, RunnerOutcome, RunnerPorts } from "./ports.ts";
