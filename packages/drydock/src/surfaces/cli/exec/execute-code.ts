import { open } from "node:fs/promises";
import { extname, resolve } from "node:path";
import { DrydockError } from "@drydock/protocol";
import type { ExecOptions, Input } from "../../../app/index.ts";
import { useDock } from "../../terminal/use-dock.ts";
import type { CommandContext } from "../command-context.ts";
import { readRunPolicy } from "../read-run-policy.ts";
import { useSession } from "../use-keeper.ts";
import type { ExecFlags, ExecWords } from "./exec-flags.ts";
import { openAnswers } from "./open-answers.ts";
import { readCode, unreadableFileError } from "./read-code.ts";
import { showResult } from "./show-result.ts";

/** `drydock exec`: one run in a dock of its own, or one step of a session. */
export async function executeCode(context: CommandContext, { file, args, flags }: ExecWords): Promise<void> {
  if (flags.session === undefined) await executeOnce(context, file, args, flags);
  else await executeStep(context, flags.session, file, args, flags);
}

async function executeOnce(context: CommandContext, file: string | undefined, args: string[], flags: ExecFlags) {
  const request = await readRequest(context, file, args, flags);
  const options = { warm: 0, early: context.early };
  const answers = openAnswers(context, { ...flags, file });
  await showResult(context, flags, (watching, show) =>
    useDock(async (dock) => {
      const result = await dock.exec({ ...request, onInput: answers?.answer, ...watching });
      answers?.close();
      if (flags.debug)
        await (await import("../../terminal/debug/index.ts")).debugRun(context.terminal, dock, result.runId, request);
      await show(result);
    }, options),
  );
}

async function readRequest(
  { trailing }: CommandContext,
  file: string | undefined,
  args: string[],
  flags: ExecFlags,
): Promise<ExecOptions> {
  const { workspace, unsafe, unconfined, requirements, install } = flags;
  refuse(
    install === true && requirements === undefined,
    "--install has nothing to install.",
    "Add --requirements FILE.",
  );
  const common = {
    workspace: workspace === undefined ? undefined : resolve(workspace),
    policy: await readRunPolicy(flags),
    unsafe,
    unconfined,
    ...(requirements !== undefined && { requirements: resolve(requirements), install }),
  };
  refuseTwoUses(file, flags);
  if (trailing && file === undefined) {
    refuse(flags.code !== undefined, "Both -c and a command after -- were given.", "Give one of them.");
    refuse(flags.lang !== undefined, "A command has no language.", "Leave out --lang, or give the code with -c.");
    refuse(trailing.length === 0, "There is no command after --.", "Name one: drydock exec -- python3 --version");
    return { ...common, command: [...trailing], stdin: await openInput(flags.stdin) };
  }
  const source = await readCode(flags.code, file);
  const { code, filename, language = "python" } = source;
  const ending = filename === undefined ? "" : extname(filename);
  refuse(
    source.language === undefined && flags.lang === undefined && ending !== "",
    `The ending ${ending} of ${filename} names no language that can be run.`,
    "Give --lang python, node or bash.",
  );
  return {
    ...common,
    code,
    filename,
    language: flags.lang ?? language,
    args: [...args, ...(trailing ?? [])],
    stdin: await openInput(flags.stdin),
  };
}

/** Last of all, so that nothing that is refused leaves a file open. */
async function openInput(path: string | undefined): Promise<Input | undefined> {
  if (path === undefined) return undefined;
  if (path === "-") return process.stdin;
  const handle = await open(path).catch((error: unknown) => {
    throw unreadableFileError(path, error);
  });
  const isDirectory = (await handle.stat()).isDirectory();
  if (isDirectory) await handle.close();
  refuse(isDirectory, `${path} is a directory.`, "Name a file in it.");
  return handle.createReadStream();
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
  for (const name of ["lang", "workspace", "unconfined", "requirements"] as const) {
    refuse(flags[name] !== undefined, `--${name} can't be given with --session.`, elsewhere);
  }
  refuseTwoUses(file, flags);
  const { code } = await readCode(flags.code, file);
  const policy = await readRunPolicy(flags);
  const { unsafe } = flags;
  const answers = openAnswers(context, { ...flags, file });
  const stdin = flags.stdin === undefined ? undefined : (await readCode(undefined, flags.stdin)).code;
  await showResult(context, flags, async (watching, show) => {
    const step = { policy, unsafe, stdin, onInput: answers?.answer, ...watching };
    const result = await useSession(sessionId, (keeper, id) => keeper.exec(id, code, step));
    answers?.close();
    if (flags.debug) {
      const { debugRun } = await import("../../terminal/debug/index.ts");
      await useDock((dock) => debugRun(context.terminal, dock, result.runId, { policy, unsafe }));
    }
    await show(result);
  });
}

function refuseTwoUses(file: string | undefined, { stdin }: ExecFlags): void {
  refuse(stdin === "-" && file === "-", "Standard input can't be both code and input.", "Put one in a file.");
}

function refuse(isWrong: boolean, message: string, hint: string): void {
  if (isWrong) throw new DrydockError("input.invalid", message, hint);
}
