/** The protocol between a host of agents and the processes of runner plugins. */
export * from "./api-error.ts";
export * from "./channel.ts";
export * from "./compaction.ts";
export * from "./config-field.ts";
export * from "./host-api.ts";
export * from "./host-grants.ts";
export * from "./host-records.ts";
export * from "./locale-map.ts";
export * from "./manifest.ts";
export * from "./message.ts";
export * from "./plugin-manifest.ts";
export * from "./results.ts";
export * from "./run-context.ts";
export * from "./runner-limits.ts";
export * from "./web-socket.ts";
