export { type ReplRequest, runRepl } from "./run-repl.ts";
