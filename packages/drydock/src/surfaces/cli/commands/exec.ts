import { open } from "node:fs/promises";
import { resolve } from "node:path";
import { DrydockError, type Language } from "@drydock/protocol";
import { type Command, Option } from "commander";
import type { ExecOptions, Input } from "../../../app/index.ts";
import type { CommandContext } from "../command-context.ts";
import { asUnreadable, readCode } from "../read-code.ts";
import { addRunFlags, type RunFlags, readRunPolicy } from "../run-flags.ts";
import { showResult } from "../show-result.ts";
import { useDock } from "../use-dock.ts";
import { useSession } from "../use-keeper.ts";

interface ExecFlags extends RunFlags {
  code?: string;
  lang?: Language;
  workspace?: string;
  session?: string;
  stdin?: string;
  unconfined?: boolean;
}

const HELP = `
Output is passed on while it comes. The workspace itself is never changed: what the run
changed is kept with it, see drydock runs diff. Words after FILE are the program's arguments.

Examples:
  $ drydock exec -c 'print(6 * 7)'
  $ drydock exec report.py --workspace . --timeout 60
  $ echo 'console.log(1)' | drydock exec --lang node -
  $ drydock exec --workspace . -- pytest -q
  $ drydock exec -c 'import sys; print(sys.stdin.read())' --stdin data.csv
  $ drydock exec --net pypi.org:443 fetch.py --json

Exit status: 0 done, 1 the code failed, 2 wrong usage, 3 the policy refused, 4 a limit was
reached, 5 no sandbox here, 70 Drydock itself failed, 130 cancelled.`;

export function defineCommand(program: Command, context: CommandContext): void {
  const command = program
    .command("exec")
    .summary("run code or a command in the sandbox")
    .description("Runs code, or a command after --, in the sandbox.")
    .usage("[options] (-c CODE | FILE [ARG…] | - | -- CMD [ARG…])")
    .argument("[file]", "the program; its ending tells the language; - reads standard input")
    .argument("[args...]", "arguments of the program")
    .option("-c, --code <code>", "the code itself")
    .addOption(new Option("--lang <language>", "the language (default: python)").choices(["python", "node", "bash"]))
    .option("--workspace <dir>", "the directory that the code sees; without one, an empty scratch directory")
    .option("--session <id>", "run as the next step of this session")
    .option("--stdin <file>", "what the code reads as its input; - passes standard input on");
  addRunFlags(command)
    .option("--unconfined", "run without a sandbox, where the owner's policy names that backend")
    .addHelpText("after", HELP)
    .action(async (file: string | undefined, args: string[], flags: ExecFlags) => {
      if (flags.session === undefined) await executeOnce(context, file, args, flags);
      else await executeStep(context, flags.session, file, args, flags);
    });
}

async function executeOnce(context: CommandContext, file: string | undefined, args: string[], flags: ExecFlags) {
  const request = await readRequest(context, file, args, flags);
  await showResult(context, flags, (watching) => useDock((dock) => dock.exec({ ...request, ...watching })));
}

async function readRequest(
  { trailing }: CommandContext,
  file: string | undefined,
  args: string[],
  flags: ExecFlags,
): Promise<ExecOptions> {
  const { workspace, unsafe, unconfined } = flags;
  const common = {
    workspace: workspace === undefined ? undefined : resolve(workspace),
    policy: await readRunPolicy(flags),
    stdin: await openInput(flags.stdin, file),
    unsafe,
    unconfined,
  };
  if (trailing && file === undefined) {
    refuse(flags.code !== undefined, "Both -c and a command after -- were given.", "Give one of them.");
    refuse(flags.lang !== undefined, "A command has no language.", "Leave out --lang, or give the code with -c.");
    refuse(trailing.length === 0, "There is no command after --.", "Name one: drydock exec -- python3 --version");
    return { ...common, command: [...trailing] };
  }
  const { code, filename, language = "python" } = await readCode(flags.code, file);
  return { ...common, code, filename, language: flags.lang ?? language, args: [...args, ...(trailing ?? [])] };
}

async function openInput(path: string | undefined, file: string | undefined): Promise<Input | undefined> {
  if (path === undefined) return undefined;
  refuse(path === "-" && file === "-", "Standard input can't be both code and input.", "Put one of them in a file.");
  if (path === "-") return process.stdin;
  try {
    const handle = await open(path);
    if ((await handle.stat()).isDirectory()) throw Object.assign(new Error(), { code: "EISDIR" });
    return handle.createReadStream();
  } catch (error) {
    throw asUnreadable(path, error);
  }
}

async function executeStep(
  context: CommandContext,
  sessionId: string,
  file: string | undefined,
  args: string[],
  flags: ExecFlags,
): Promise<void> {
  const elsewhere = "A session has its language and workspace from drydock session open; a step is code alone.";
  refuse(context.trailing !== null || args.length > 0, "A step takes no command or arguments.", elsewhere);
  for (const name of ["lang", "workspace", "stdin", "unconfined"] as const) {
    refuse(flags[name] !== undefined, `--${name} can't be given with --session.`, elsewhere);
  }
  const { code } = await readCode(flags.code, file);
  const policy = await readRunPolicy(flags);
  await showResult(context, flags, (watching) =>
    useSession(sessionId, (keeper) => keeper.exec(sessionId, code, { policy, unsafe: flags.unsafe, ...watching })),
  );
}

function refuse(isWrong: boolean, message: string, hint: string): void {
  if (isWrong) throw new DrydockError("input.invalid", message, hint);
}
