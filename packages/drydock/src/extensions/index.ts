export { BUILT_IN_EXTENSIONS } from "./built-in-directory.ts";
export { createQueue, type Queue } from "./control/create-queue.ts";
export { needsApproval } from "./control/needs-approval.ts";
export {
  approvalDeniedError,
  extensionNotAllowedError,
  hostNotGrantedError,
  quotaReachedError,
  secretMissingError,
  secretNotGrantedError,
  timeoutError,
  unsafePathError,
} from "./errors.ts";
export { readExtension } from "./format/read-extension.ts";
export { scaffoldExtension } from "./format/scaffold-extension.ts";
export { unpackArchive } from "./install/archive/unpack-archive.ts";
export { createRegistry } from "./install/create-registry.ts";
export { waitForLock } from "./install/lock.ts";
export { archiveKindOf } from "./install/sources/parse-source.ts";
export type {
  Download,
  EnabledCommand,
  ExtensionRecord,
  InstallOptions,
  Registry,
  RegistryChanges,
} from "./install/types.ts";
export type {
  CapabilityCall,
  CapabilityRunner,
  InnerResult,
  InnerRun,
  InputResponse,
  RunnerOutcome,
  RunnerPorts,
} from "./ports.ts";
export {
  complete,
  countResponsesNeeded,
  fillTemplates,
  findBegunWord,
  findHelpTopic,
  formatCall,
  helpText,
  listResponsesNeeded,
  listTools,
  listUrls,
  quoteWord,
  type Route,
  route,
} from "./router/index.ts";
export { findRunnerKind, type RunnerKind } from "./runner-kinds.ts";
export { describeContent, parseJson } from "./runners/describe-content.ts";
export { listCandidates } from "./runners/find-tool.ts";
export { createRunnerTable, type RunnerTable } from "./runners/index.ts";
