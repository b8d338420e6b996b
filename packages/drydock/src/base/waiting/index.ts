export { type AnswerQueue, createAnswerQueue } from "./answer-queue.ts";
export { createLineQueue } from "./line-queue.ts";
export { untilAborted } from "./until-aborted.ts";
