export * from "./disk-usage.ts";
export * from "./doctor.ts";
export * from "./server-status.ts";
export * from "./token.ts";
