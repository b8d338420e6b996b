export {
  hostDeniedByCall,
  listOf,
  narrowRequest,
  overlayRequests,
  pickNamedKeys,
  withoutGuard,
} from "./algebra/combine-requests.ts";
export { grantPermissions } from "./algebra/grant-permissions.ts";
export {
  keepSurroundings,
  meetPolicies,
  narrowPolicy,
  narrowWrites,
  raiseLimits,
} from "./algebra/narrow-policy.ts";
export {
  type CommandRules,
  describeCommands,
  findDenyingRule,
  permitsCommand,
  permitsEveryCommand,
} from "./command-rules.ts";
export type { PolicyChange, PolicyDenial, PolicyEdit, PolicyRepair } from "./edit/index.ts";
export { pickEnvironment } from "./environment-rules.ts";
export { explainDeniedWrite, findHidingRule } from "./explain-denied-write.ts";
export { explainPolicy, type PolicyRow } from "./explain-policy.ts";
export { explainAllowList, explainDenyRule, type RuleOrigins } from "./explain-rule.ts";
export { coversHost, matchHost } from "./host-rules.ts";
export { loadPolicyFile, type PolicySource } from "./load-policy-file.ts";
export { matchName } from "./name-rules.ts";
export { findNearestWord } from "./nearest-word.ts";
export { createPathRules, describePathPatternProblem, type PathRules } from "./path-rules.ts";
export { ALLOW_KINDS, POLICY_KEYS } from "./policy-keys.ts";
export { quoteShell } from "./quote-shell.ts";
export { type ResolvedPolicy, resolvePolicy } from "./resolve-policy.ts";
export type { PolicyValue } from "./scales.ts";
export { SYSTEM_POLICY } from "./system-policy.ts";

/** What is written by hand is checked against the schemas, which most runs can do without. */
export const loadPolicyRequests = () => import("./parse-policy-request.ts");
export const loadPolicyEdits = () => import("./edit/index.ts");

/** Reading shell code takes a parser, which most runs can do without. */
export const loadShellCheck = () => import("./check-shell.ts");
