import { constants } from "node:os";
import { resolve } from "node:path";
import type { ReadStream } from "node:tty";
import { DrydockError, type ErrorInfo, EXIT_STATUS } from "@drydock/protocol";
import type { Dock, WrapDecision, WrapHandle, WrapOptions, WrapResult, WrapReview } from "../../../app/index.ts";
import { renderError } from "../../terminal/render/render-error.ts";
import { useDock } from "../../terminal/use-dock.ts";
import { watchInterrupts } from "../../terminal/watch-interrupts.ts";
import type { CommandContext } from "../command-context.ts";
import { type Asking, askAutorun } from "../goal/ask-person.ts";
import { readCheckFlags } from "../goal/goal-flags.ts";
import { readRunPolicy } from "../read-run-policy.ts";
import { renderCheck } from "../render/render-verification.ts";
import { resolveRunId } from "../resolve-run-id.ts";
import { showReading } from "../show-reading.ts";
import { askFate } from "./ask-fate.ts";
import { obeyKey } from "./obey-key.ts";
import { openScreen } from "./open-screen.ts";
import { createKeyReader } from "./read-keys.ts";
import { renderFate, renderReview } from "./render-wrap.ts";
import { readFate, type WrapFlags } from "./wrap-flags.ts";

/** `drydock wrap -- COMMAND`: with a terminal where there is one, else with pipes. */
export async function runWrapped(context: CommandContext, flags: WrapFlags): Promise<void> {
  const fate = readFate(flags);
  const options = await readOptions(context, flags);
  const screen = findTerminals(flags);
  await useDock(async (dock) => {
    const from = flags.from === undefined ? undefined : await resolveRunId(dock.runs, flags.from, "wrap");
    const command = options.command.length > 0 ? options.command : await readCommand(dock, from);
    const wrap = screen ? wrapOnScreen : wrapOnPipes;
    const result = await wrap(context, dock, { ...options, command, from }, flags, fate);
    context.status = statusOf(result);
    if (flags.json) context.terminal.out(`${JSON.stringify(result)}\n`);
    else showFate(context, result);
  });
}

async function readOptions({ trailing }: CommandContext, flags: WrapFlags): Promise<WrapOptions> {
  const command = trailing ?? [];
  if (command.length === 0 && flags.from === undefined) {
    const hint = "Name one after --, as in: drydock wrap -- bash";
    throw new DrydockError("input.invalid", "There is no program to wrap.", hint);
  }
  const { timeout, memory, policy, allow, upstream } = flags;
  return {
    command,
    workspace: resolve(flags.workspace ?? "."),
    policy: await readRunPolicy({ timeout, memory, policy, net: allow, upstream }),
    checks: await readCheckFlags({ check: flags.check, sufficient: flags.sufficient }),
    mayChange: flags.mayChange,
    fromCheckpoint: flags.checkpoint,
    home: flags.home,
    environment: flags.env,
  };
}

/** Without a command, the one that the run before had. */
async function readCommand(dock: Dock, from: string | undefined): Promise<string[]> {
  const [created] = await dock.runs.events(from ?? "", { limit: 1 });
  const { command } = (created?.data.request ?? {}) as { command?: unknown };
  if (Array.isArray(command) && command.every((word) => typeof word === "string")) return command;
  throw new DrydockError("input.invalid", `Run ${from} names no command.`, "Name one after --.");
}

interface Terminals {
  input: ReadStream;
  output: NodeJS.WriteStream & { fd: 1 | 2 };
}

/** With --json standard output is for the result: the program is shown on standard error. */
function findTerminals({ json = false, terminal = true }: WrapFlags): Terminals | null {
  const output = json ? process.stderr : process.stdout;
  if (!terminal || !process.stdin.isTTY || !output.isTTY) return null;
  return { input: process.stdin as ReadStream, output: output as Terminals["output"] };
}

type Fate = ReturnType<typeof readFate>;
type Wrap = (
  context: CommandContext,
  dock: Dock,
  options: WrapOptions,
  flags: WrapFlags,
  fate: Fate,
) => Promise<WrapResult>;

const wrapOnScreen: Wrap = async (context, dock, options, flags, fate) => {
  const terminals = findTerminals(flags);
  if (!terminals) throw new Error("there is no terminal");
  const stopping = new AbortController();
  const screen = openScreen(terminals);
  let handle: WrapHandle | undefined;
  const readKeys =
    flags.escape === false ? (bytes: Buffer) => bytes : createKeyReader((key) => obeyKey(key, screen, handle));
  screen.onGone(() => (handle ? handle.hangUp() : stopping.abort()));
  screen.onResize((size) => handle?.resize(size));
  async function* keys() {
    for await (const bytes of screen.keys()) {
      const typed = readKeys(bytes);
      if (typed.length === 0) continue;
      handle?.noteInput(typed);
      yield typed;
    }
    // The input of a terminal that is gone has no end of its own: the program hears of it by a signal.
    await new Promise(() => {});
  }
  try {
    return await dock.wraps.run({
      ...options,
      terminal: { ...screen.size, show: (bytes) => screen.show(bytes) },
      stdin: keys(),
      signal: stopping.signal,
      onReady: (ready) => {
        handle = ready;
        ready.resize(screen.size);
        if (stopping.signal.aborted) ready.hangUp();
      },
      onEnded: () => {
        // Nobody waits for the checks of a program whose terminal is gone, and nobody can be asked.
        if (screen.isGone) stopping.abort();
        void screen.close();
      },
      ...settling(context, dock, flags, fate, async () => screen.close()),
    });
  } finally {
    await screen.close();
  }
};

const wrapOnPipes: Wrap = async (context, dock, options, flags, fate) => {
  const { terminal } = context;
  using interrupts = watchInterrupts();
  const reading = showReading(terminal);
  let isMidLine = false;
  const endLine = () => {
    if (isMidLine && (terminal.isOneText || flags.json)) terminal.err("\n");
  };
  const result = await dock.wraps.run({
    ...options,
    stdin: process.stdin.isTTY ? undefined : process.stdin,
    signal: AbortSignal.any([interrupts.signal, terminal.closed]),
    onReading: reading.update,
    onOutput: ({ stream, text }) => {
      reading.end();
      isMidLine = !text.endsWith("\n");
      if (stream === "stdout" && !flags.json) terminal.out(text);
      else terminal.err(text);
    },
    onEnded: () => endLine(),
    ...settling(context, dock, flags, fate, async () => reading.end()),
  });
  reading.end();
  return result;
};

/** What is shown and asked once the program has ended. What a program reads stays on standard output alone. */
function settling(
  { terminal }: CommandContext,
  dock: Dock,
  { json = false }: WrapFlags,
  fate: Fate,
  ready: () => Promise<void>,
): Pick<WrapOptions, "onCheck" | "decide" | "confirmAutorun"> {
  const tell = (text: string) => (json ? undefined : terminal.err(text));
  const isAsked = fate === null && !json && process.stdin.isTTY === true && terminal.isErrorTerminal;
  const asking: Asking = {
    terminal: { ...terminal, out: terminal.err },
    signal: terminal.closed,
    cancel: () => {},
    editor: undefined,
  };
  return {
    onCheck: (check) => tell(renderCheck(check, terminal.errColors)),
    decide: async (review) => {
      await ready();
      const diff = await dock.runs.diff(review.runId);
      tell(renderReview(review, diff, terminal));
      if (isAsked) return askFate(asking, review, diff);
      return decideAlone(fate, review);
    },
    confirmAutorun: async ({ autorun }: ErrorInfo) =>
      isAsked && Array.isArray(autorun) && (await askAutorun(asking, autorun)),
  };
}

/** Where nobody is asked, nothing is applied unless it was said. */
function decideAlone(fate: Fate, { verdict }: WrapReview): WrapDecision {
  if (fate === "if-passed") return verdict === "passed" ? "apply" : "keep";
  return fate ?? "keep";
}

/** The program's own status, as a shell gives it; a failure of Drydock, the checks or the delivery where the program had none. */
function statusOf({ exitCode, exitSignal, error, verdict, deliveryError }: WrapResult): number {
  const number = exitSignal === null ? undefined : constants.signals[exitSignal as NodeJS.Signals];
  if (number !== undefined) return 128 + number;
  if (exitCode !== null && exitCode !== 0) return exitCode;
  if (error && error.code !== "code.exit") return EXIT_STATUS[error.code];
  if (deliveryError) return EXIT_STATUS[deliveryError.code];
  return verdict === "failed" ? 1 : 0;
}

/** What is printed when all is over. */
function showFate({ terminal }: CommandContext, result: WrapResult): void {
  terminal.err(renderFate(result, terminal));
  if (result.error && result.error.code !== "code.exit") terminal.err(renderError(result.error, terminal.errColors));
  if (result.deliveryError) terminal.err(renderError(result.deliveryError, terminal.errColors));
}
