import { type Command, Option } from "commander";
import type { CommandContext } from "../command-context.ts";
import { type ExecFlags, executeCode, LANGUAGES } from "../exec/execute-code.ts";
import { addRunFlags } from "../run-flags.ts";

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
    .argument("[args...]", "arguments of the program")
    .option("-c, --code <code>", "the code itself")
    .addOption(new Option("--lang <language>", "the language (default: python)").choices(LANGUAGES))
    .option("--workspace <dir>", "the directory that the code sees; without one, an empty scratch directory")
    .option("--session <id>", "run as the next step of this session")
    .option("--stdin <file>", "a file that the code reads as standard input; - passes on yours");
  addRunFlags(command)
    .option("--requirements <file>", "Python packages for the code: a requirements.txt")
    .option("--install", "install missing packages, if the owner's policy allows the package index")
    .option("--unconfined", "run without a sandbox, if the owner's policy allows that")
    .addHelpText("after", HELP)
    .action((file: string | undefined, args: string[], flags: ExecFlags) => execute(context, { file, args, flags }));
}
