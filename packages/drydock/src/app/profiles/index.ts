/** What other use cases use of this one. */
export { readApprovedProfile } from "./create-profiles.ts";
