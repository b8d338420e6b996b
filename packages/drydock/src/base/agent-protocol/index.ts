export { INSIDE_PROGRAM } from "./inside-program.ts";
export { createLineReader, isRequest, isResponse, type Message, parseMessage } from "./message.ts";
export { answerPermission, describePermission } from "./permission.ts";
