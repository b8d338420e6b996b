export { matchCommand } from "./command-rules.ts";
export { allowInPolicyFile, type PolicyEdit, setInPolicyFile } from "./edit-policy-file.ts";
export { pickEnvironment } from "./environment-rules.ts";
export { explainPolicy, type PolicyRow } from "./explain-policy.ts";
export { coversHost, matchHost } from "./host-rules.ts";
export { loadPolicyFile, type PolicySource } from "./load-policy-file.ts";
export { matchName } from "./name-rules.ts";
export { findNearestWord } from "./nearest-word.ts";
export { parsePolicyRequest } from "./parse-policy-request.ts";
export { createPathRules, describePathPatternProblem, type PathRules } from "./path-rules.ts";
export { ALLOW_KINDS } from "./policy-keys.ts";
export { type ResolvedPolicy, resolvePolicy } from "./resolve-policy.ts";
export type { PolicyValue } from "./scales.ts";
export { SYSTEM_POLICY } from "./system-policy.ts";

/** Reading shell code takes a parser, which most runs can do without. */
export const loadShellCheck = () => import("./check-shell.ts");
