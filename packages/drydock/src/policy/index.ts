export { findDenial } from "./agents/find-denial.ts";
export {
  hostDeniedByCallError,
  listOf,
  narrowRequest,
  overlayRequests,
  pickNamedKeys,
  withoutGuard,
  withStrictGuard,
} from "./algebra/combine-requests.ts";
export { grantPermissions } from "./algebra/grant-permissions.ts";
export {
  intersectPolicies,
  keepSessionAccess,
  narrowPolicy,
  narrowWrites,
  raiseLimits,
} from "./algebra/narrow-policy.ts";
export { answerQuestion } from "./answer-question.ts";
export type { PolicyChange, PolicyDenial, PolicyEdit, PolicyRepair } from "./edit/index.ts";
export { explainDeniedWrite, findHidingRule } from "./explain-denied-write.ts";
export { explainPolicy, type PolicyRow } from "./explain-policy.ts";
export { explainAllowList, explainDenyRule, explainSwitch, type RuleOrigins } from "./explain-rule.ts";
export { loadPolicyFile, type PolicySource, readPolicyText } from "./load-policy-file.ts";
export { ALLOW_KINDS, POLICY_KEYS } from "./policy-keys.ts";
export { type ResolvedPolicy, resolvePolicy } from "./resolve-policy.ts";
export {
  type CommandRules,
  describeCommands,
  findDenyingRule,
  permitsCommand,
  permitsEveryCommand,
} from "./rules/command-rules.ts";
export { pickEnvironment } from "./rules/environment-rules.ts";
export { coversHost, matchHost } from "./rules/host-rules.ts";
export { matchName } from "./rules/name-rules.ts";
export { createPathRules, describePathPatternProblem, type PathRules } from "./rules/path-rules.ts";
export { isPrivatePlace } from "./rules/toolchain-rules.ts";
export { matchUpstreams } from "./rules/upstream-rules.ts";
export type { PolicyValue } from "./scales.ts";
export { quoteShell } from "./shell/quote-shell.ts";
export { SYSTEM_POLICY } from "./system-policy.ts";

/** What is written by hand is checked against the schemas, which most runs can do without. */
export const loadPolicyRequests = () => import("./parse-policy-request.ts");
/** Reads a policy from its text. */
export const loadPolicyText = () => import("./parse-policy-text.ts");
export const loadPolicyEdits = () => import("./edit/index.ts");

/** Reading shell code takes a parser, which most runs can do without. */
export const loadShellCheck = () => import("./shell/check-shell.ts");
