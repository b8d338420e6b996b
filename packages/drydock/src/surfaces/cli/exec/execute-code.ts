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
import { readCode, STEP_HINT, unreadableFileError } from "./read-code.ts";
import { showResult } from "./show-result.ts";

/** `drydock exec`: one run in a dock of its own, or one step of a session. */
export async function executeCode(context: CommandContext, { file, args, flags }: ExecWords): Promise<void> {
  for (const name of ["needs", "priority", "delay"] as const) {
    refuse(flags[name] !== undefined && !flags.queue, `--${name} is for runs that wait for a worker.`, "Add --queue.");
  }
  if (flags.queue) await executeOnWorker(context, file, args, flags);
  else if (flags.session === undefined) await executeOnce(context, file, args, flags);
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

async function executeOnWorker(context: CommandContext, file: string | undefined, args: string[], flags: ExecFlags) {
  refuse(flags.session !== undefined, "A session stays where it is.", "Leave out --queue, or --session.");
  const { stdin, ...request } = await readRequest(context, file, args, flags);
  const input =
    stdin === undefined || typeof stdin === "string" || stdin instanceof Uint8Array ? stdin : await collect(stdin);
  const order = { needs: flags.needs, priority: readPriority(flags.priority), startAfter: readDelay(flags.delay) };
  const options = { ...request, ...(input !== undefined && { stdin: input }), ...order };
  await showResult(context, flags, (watching, show) =>
    useDock(async (dock) => show(await dock.workers.exec({ ...options, ...watching }))),
  );
}

async function collect(chunks: AsyncIterable<string | Uint8Array>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const chunk of chunks) parts.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(parts);
}

function readPriority(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const isLevel = /^-?\d{1,2}$/.test(text) && Math.abs(Number(text)) <= 20;
  refuse(!isLevel, `--priority can't be ${text}.`, "Give a whole number from -20 to 20.");
  return Number(text);
}

function readDelay(seconds: number | undefined): Date | undefined {
  return seconds === undefined ? undefined : new Date(Date.now() + seconds * 1000);
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
  const { code } = await readCode(flags.code, file, STEP_HINT);
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
