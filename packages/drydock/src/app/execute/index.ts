/** What other use cases use of this one. */
export { commandDeniedError } from "./command-denied.ts";
export { execute } from "./execute.ts";
/** Orders are for those who have workers. */
export const loadOrderExec = () => import("./order-exec.ts");

/** Packages take code that most runs can do without. */
export const loadExecWithPackages = () => import("./exec-with-packages.ts");
export { invalidInputError, readRequest, titleOf, toSandboxWork } from "./read-request.ts";
