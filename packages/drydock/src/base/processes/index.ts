export { readProcessStart } from "./read-process-start.ts";
