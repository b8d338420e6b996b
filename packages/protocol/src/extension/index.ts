export * from "./capability.ts";
export * from "./capability-views.ts";
export * from "./commands.ts";
export * from "./installed.ts";
export * from "./manifest.ts";
export * from "./runner-names.ts";
