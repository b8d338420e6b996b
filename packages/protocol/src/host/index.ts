export * from "./agent.ts";
export * from "./event.ts";
