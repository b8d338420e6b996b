import { runCommandLine } from "./run-command-line.ts";
import { createTerminal } from "./terminal.ts";

const terminal = createTerminal(process.stdout, process.stderr);
const status = await runCommandLine(process.argv.slice(2), terminal);
await terminal.flush();
// Input that nobody reads any more would otherwise hold the process up.
process.exit(status);
