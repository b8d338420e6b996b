import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { EXIT_STATUS } from "@drydock/protocol";
import { type Dock, readConfig } from "../../app/index.ts";
import type { AnyDefinition, CodeLanguage } from "../../tasks/index.ts";
import { openDebug } from "../terminal/debug/index.ts";
import { choosePictureProtocol } from "../terminal/picture-protocol.ts";
import { createScreen } from "../terminal/screen.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { REPL_COMMANDS } from "./commands.ts";
import { completeWithExtensions } from "./complete-extensions.ts";
import { openHistory } from "./history.ts";
import { findOpenPart, mayEnd, type OpenPart } from "./input/find-open-part.ts";
import { type LineEditor, openLineEditor } from "./line-editor.ts";
import { createLiveSession } from "./live-session.ts";
import type { ReplContext } from "./repl-context.ts";
import { runInput } from "./run-input.ts";

export interface ReplOptions {
  dock: Dock;
  terminal: Terminal;
  input: NodeJS.ReadableStream & { isTTY?: boolean };
  output: NodeJS.WriteStream;
  agents: readonly AnyDefinition[];
  checkAgent: ReplContext["checkAgent"];
  language: CodeLanguage;
  workspace: string | undefined;
  model: string | undefined;
  /** The model, as the banner names it. */
  modelName: string | null;
  unsafe: boolean;
  /** What the other options ask for. */
  policy: ReplContext["policy"];
  packages: ReplContext["packages"];
  isDebugging: boolean;
  redact(text: string): string;
  /** Aborted when the process gets a signal to end. */
  signal: AbortSignal;
}

const PROMPT = "drydock> ";
const MORE = "     ... ";

/**
 * Reads, does, and reads again.
 *
 *     reading a line -> (unfinished: reading more) -> at it -> reading a line … -> left
 *
 * Ctrl-C while reading drops what was typed; while something is at it, it is cancelled, and nothing else.
 */
export async function startRepl(options: ReplOptions): Promise<number> {
  const { terminal, input, output, dock, language, signal } = options;
  const isTerminal = input.isTTY === true && terminal.isOutputTerminal;
  const screen = createScreen(terminal);
  const session = createLiveSession({
    ...options,
    onLost: (why) => screen.note(`${why} This is a new one, without the old variables and files.`),
  });
  const repl: ReplContext = {
    ...options,
    screen,
    session,
    agents: new Map(options.agents.map((agent) => [agent.name, agent])),
    talk: [],
    attached: new Set(),
    debug: openDebug({ err: screen.aside, errColors: terminal.errColors }, dock),
    conversation: `repl-${randomUUID()}`,
    async answer(request) {
      const line = await editor.answer(screen.unfinished, request);
      if (isTerminal) screen.endAnswer();
      return line;
    },
    ask: isTerminal ? (question) => ask(editor, question) : null,
  };
  // The editor reads standard input from here on: what the terminal can is asked before.
  if (isTerminal) await choosePictureProtocol(terminal, readConfig().environment);
  const history = await openHistory(join(dock.home, "repl-history"), options.redact);
  const editor = openLineEditor({
    input,
    output,
    isTerminal,
    history: history.lines,
    complete: (line) =>
      completeWithExtensions(
        line,
        { commands: REPL_COMMANDS, agents: repl.agents.keys(), variables: session.variables.keys() },
        dock,
      ),
    onLine: (line) => void history.add(line),
  });
  const leave = () => editor.close();
  const ending = AbortSignal.any([signal, terminal.closed]);
  ending.addEventListener("abort", leave, { once: true });
  if (isTerminal) screen.say(describeStart(options));
  let status = 0;
  try {
    for (;;) {
      const text = await readText(editor, screen.terminal, language, () => session.variables.keys());
      if (text === null || ending.aborted) break;
      const ended = await attend(repl, editor, text, ending);
      if (ended === null) break;
      // A pipe's owner wants to know whether all went well; the first that did not says how.
      if (!isTerminal && status === 0) status = ended;
    }
  } finally {
    ending.removeEventListener("abort", leave);
    editor.close();
    await session.reset();
  }
  return signal.aborted ? EXIT_STATUS["run.cancelled"] : status;
}

/** Everything that belongs together; null at the end of the input. */
async function readText(
  editor: LineEditor,
  { out, outColors, isOutputTerminal }: Terminal,
  language: CodeLanguage,
  variables: () => Iterable<string>,
): Promise<string | null> {
  const lines: string[] = [];
  let open: OpenPart | null = null;
  for (;;) {
    const line = await editor.read(lines.length === 0 ? outColors.cyan(PROMPT) : outColors.dim(MORE));
    if (line.kind === "end") {
      if (isOutputTerminal && lines.length === 0) out("\n");
      return lines.length === 0 ? null : lines.join("\n");
    }
    if (line.kind === "interrupted") {
      const isEmpty = lines.length === 0 && !line.hadText;
      out(isEmpty ? "^C (Ctrl-D or /exit leaves)\n" : "^C\n");
      lines.length = 0;
      open = null;
      continue;
    }
    lines.push(line.text);
    if (open !== null && !mayEnd(open, line.text)) continue;
    const text = lines.join("\n");
    open = findOpenPart(text, language, variables());
    if (open === null) return text;
  }
}

/** Does what was typed, and lets Ctrl-C end that alone. */
async function attend(repl: ReplContext, editor: LineEditor, text: string, outer: AbortSignal): Promise<number | null> {
  const stopping = new AbortController();
  const release = editor.onInterrupt(() => stopping.abort());
  const signal = AbortSignal.any([stopping.signal, outer]);
  try {
    return await runInput(repl, text, signal);
  } finally {
    release();
    repl.screen.endStream();
  }
}

async function ask(editor: LineEditor, question: string): Promise<string | null> {
  const line = await editor.read(question);
  return line.kind === "line" ? line.text : null;
}

function describeStart({ terminal, language, modelName, unsafe, workspace, policy }: ReplOptions): string {
  const { bold, dim, yellow } = terminal.outColors;
  const guard = language === "python" && unsafe ? `, guard ${yellow("off")}` : "";
  const facts = [
    `${language} in a sandbox${guard}`,
    modelName === null ? "no model: code only" : `model ${modelName}`,
    ...(workspace === undefined ? [] : [`workspace ${workspace}`]),
    ...(Array.isArray(policy?.network?.allow) ? [`network ${policy.network.allow.join(", ") || "none"}`] : []),
  ];
  return `${bold("Drydock")} ${dim("·")} ${facts.join(` ${dim("·")} `)} ${dim("·")} /help\n`;
}
