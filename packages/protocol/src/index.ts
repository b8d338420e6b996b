export * from "./drydock-error.ts";
export * from "./error-codes.ts";
export * from "./errors.ts";
export * from "./exec.ts";
export * from "./layer.ts";
export * from "./policy.ts";
export * from "./run.ts";
export * from "./session.ts";
