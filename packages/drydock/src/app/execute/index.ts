/** What other use cases use of this one. */
export { commandDeniedError } from "./command-denied.ts";
export { execute } from "./execute.ts";
export { invalidInputError, readRequest, titleOf, toSandboxWork } from "./read-request.ts";
