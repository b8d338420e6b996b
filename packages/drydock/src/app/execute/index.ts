/** What other use cases use of this one. */
export { commandDenied } from "./command-denied.ts";
export { execute } from "./execute.ts";
export { invalid, readRequest, titleOf, toSandboxWork } from "./read-request.ts";
