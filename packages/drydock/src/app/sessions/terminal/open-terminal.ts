import { DrydockError, type EffectivePolicy, type PolicyDocument, type StepResult } from "@drydock/protocol";
import { createLineQueue } from "../../../base/waiting/index.ts";
import { overlayRequests, permitsEveryCommand } from "../../../policy/index.ts";
import type { BoxTerminal, BoxTerminalOptions } from "../../boxes/api.ts";
import type { OutputChunk } from "../../runs/api.ts";
import type { ExecPorts } from "../../runs/exec-ports.ts";
import type { Session } from "../api.ts";
import { TERMINAL_PROGRAM } from "./terminal-program.ts";

/** A session as it was opened. */
export interface TerminalPlace {
  session: Session;
  policy: EffectivePolicy;
  workspace: string | null;
  /** What was asked of the policy when the session was opened. */
  request: PolicyDocument | undefined;
}

const MAX_WAITING_CHARS = 4 * 1024 * 1024;
/** The terminal is left so long before a limit that would undo all of it. */
const MARGIN_SECONDS = 3;
const MARGIN_SHARE = 0.1;
const MARGIN_BYTES = 256 * 1024;

const WHY: Readonly<Record<string, string>> = {
  time: "The time of a step is over: the terminal was closed, and its files are kept.",
  output: "A step may print no more: the terminal was closed, and its files are kept.",
  keys: "The program did not read what was typed: the terminal was closed.",
};

/**
 * A shell with a terminal that is a step of the session. Other steps wait for it. When it is left, by whichever side, its files are the
 * session's, and one can return to the step before it.
 */
export async function openTerminal(
  ports: Pick<ExecPorts, "policies">,
  { session, policy, workspace, request }: TerminalPlace,
  { columns, rows, onData, onEnd }: BoxTerminalOptions,
): Promise<BoxTerminal> {
  const { language } = session.stats();
  if (language !== "python") {
    const hint = "Open a Python session.";
    throw new DrydockError("input.invalid", `A ${language} session has no terminals.`, hint);
  }
  if (!permitsEveryCommand(policy.commands)) {
    const hint = "A shell could run any command. Run code, whose commands are checked.";
    throw new DrydockError("policy.command_denied", "The policy lists the commands that may run.", hint);
  }
  const asked = await requestMost(ports, { workspace, request });
  const { limits } = (await ports.policies.resolve({ workspace, request: asked })).effective;
  const queue = createLineQueue(MAX_WAITING_CHARS);
  const stop = new AbortController();
  const ready = Promise.withResolvers<void>();
  let status: number | null = null;
  let isOver = false;
  const send = (message: object) => {
    if (!isOver && !queue.push(`${JSON.stringify(message)}\n`)) stop.abort();
  };
  const show = (text: string) => {
    const bytes = Buffer.from(text);
    const taken = () => send({ taken: bytes.length });
    onData(bytes).then(taken, taken);
  };
  const hear = createHearing((message) => {
    if (message.ready === true) ready.resolve();
    if (typeof message.status === "number") status = message.status;
    const why = WHY[String(message.why)];
    if (why !== undefined) show(`\r\n${why}\r\n`);
  });
  const onOutput = ({ stream, text }: OutputChunk) => {
    if (stream === "stdout") show(text);
    else hear(text);
  };
  const seconds = limits.wallSeconds - Math.min(MARGIN_SECONDS, limits.wallSeconds * MARGIN_SHARE);
  send({ columns, rows, seconds, bytes: Math.max(limits.outputMb * 1024 * 1024 - MARGIN_BYTES, MARGIN_BYTES) });
  const step = session.exec(TERMINAL_PROGRAM, {
    ...{ terminal: true, unsafe: true, stdin: queue.lines, signal: stop.signal, onOutput },
    policy: asked,
  });
  const end = (result: StepResult | null) => {
    if (isOver) return;
    isOver = true;
    if (result?.error && result.error.code !== "run.cancelled")
      void onData(Buffer.from(`\r\n${result.error.message}\r\n`));
    onEnd(status);
  };
  const failed = step.then((result) => {
    const { code, message, hint, ...facts } = result.error ?? LEFT;
    ready.reject(new DrydockError(code, message, hint, facts));
    return result;
  });
  failed.catch((error: unknown) => ready.reject(error));
  await ready.promise;
  failed.then(end, () => end(null));
  return {
    write: (bytes) => send({ keys: Buffer.from(bytes).toString("base64") }),
    resize: (size) => send(size),
    close: () => queue.end(),
  };
}

/** All the time and output that the owner lets be asked for, unless the session was opened with less. */
async function requestMost(
  { policies }: Pick<ExecPorts, "policies">,
  { workspace, request }: Pick<TerminalPlace, "workspace" | "request">,
): Promise<PolicyDocument> {
  const { ceiling } = await policies.resolve({ workspace });
  const { wallSeconds, cpuSeconds, outputMb } = ceiling.limits;
  const limits = { wallSeconds, cpuSeconds, outputMb, ...request?.limits };
  return { ...overlayRequests({ limits }, request), limits };
}

const LEFT = {
  code: "code.exit",
  message: "The terminal was left before it was there.",
  hint: "Open it again.",
} as const;

/** Lines of JSON out of pieces of text; what is none is passed over: code inside can write there, too. */
function createHearing(take: (message: Record<string, unknown>) => void): (text: string) => void {
  let rest = "";
  return (text) => {
    const lines = (rest + text).split("\n");
    rest = (lines.pop() ?? "").slice(-4096);
    for (const line of lines) {
      try {
        take(Object(JSON.parse(line)) as Record<string, unknown>);
      } catch {
        // Not of the terminal's program.
      }
    }
  };
}
