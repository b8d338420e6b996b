export { GATEWAY_PORT, INSIDE_PROGRAM, INSIDE_PROGRAM_WITH_GATEWAY } from "./inside-program.ts";
export { createLineReader, isRequest, isResponse, type Message, parseMessage } from "./message.ts";
export { answerPermission, describePermission } from "./permission.ts";
