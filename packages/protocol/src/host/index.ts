export * from "./agent.ts";
export * from "./event.ts";
export * from "./knowledge.ts";
export * from "./send.ts";
