export { runRepl } from "./run-repl.ts";
