import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { EXEC_FLAGS, type ExecFlags } from "../exec/exec-flags.ts";
import { executeCode } from "../exec/execute-code.ts";
import { addFlags } from "../flags/add-flags.ts";

const HELP = `
Output is passed on while it comes. The workspace itself is never changed: what the run
changed is kept with it, see drydock runs diff. Words after FILE are the program's arguments;
those that begin with a dash stand behind --.

Examples:
  $ drydock exec -c 'print(6 * 7)'
  $ drydock exec report.py --workspace . --timeout 60
  $ echo 'console.log(1)' | drydock exec --lang node -
  $ drydock exec --workspace . -- pytest -q
  $ drydock exec -c 'import sys; print(sys.stdin.read())' --stdin data.csv
  $ drydock exec --net api.example.com:443 fetch.py --json

Exit status: 0 done, 1 the code failed, 2 wrong usage, 3 the policy refused, 4 a limit was
reached, 5 no sandbox here, 70 Drydock itself failed, 130 cancelled.`;

export function defineCommand(program: Command, context: CommandContext, execute = executeCode): void {
  const command = program
    .command("exec")
    .summary("run code or a command in the sandbox")
    .description("Runs code, or a command after --, in the sandbox.")
    .usage("[options] (-c CODE | FILE [ARG…] | - | -- CMD [ARG…])")
    .argument("[file]", "the program; the language follows from its extension (.py, .js, .sh); - reads standard input")
    .argument("[args...]", "arguments of the program");
  addFlags(command, EXEC_FLAGS)
    .addHelpText("after", HELP)
    .action((file: string | undefined, args: string[], flags: ExecFlags) => execute(context, { file, args, flags }));
}
