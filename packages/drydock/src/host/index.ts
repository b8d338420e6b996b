export { decodeCursor, encodeCursor } from "./access/cursor.ts";
export { stateScopeKey } from "./access/state-scope-key.ts";
export { conversationKey } from "./bindings/event-id.ts";
export { createHost, type Host } from "./create-host.ts";
export type { HostPorts, KnowledgeAccess, RunRecord } from "./ports.ts";
export { type RunnerFact, type RunnerReplay, replayRunner } from "./replay/replay-runner.ts";
export type { AnswerOptions } from "./runs/answer-event.ts";
