/** What other use cases use of this one. */
export { CHECK_EXAMPLE, CheckFileEntry } from "./check-files.ts";
export { collectChecks } from "./required-checks.ts";
export { verify } from "./verify.ts";
