/** What other use cases use of this one. */
export type { Policies } from "./create-policies.ts";
export { editHomePolicy } from "./edit-home-policy.ts";
export { createPolicyViews } from "./policy-views.ts";
