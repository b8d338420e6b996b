export { allowInPolicyFile, type PolicyEdit } from "./allow-in-policy.ts";
export { denyInPolicyFile, type PolicyDenial } from "./deny-in-policy.ts";
export type { PolicyRepair } from "./remove-from-invalid.ts";
export { type PolicyChange, setInPolicyFile, unsetInPolicyFile } from "./set-in-policy.ts";
