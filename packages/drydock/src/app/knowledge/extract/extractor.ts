import { DrydockError, type ErrorInfo } from "@drydock/protocol";
import * as z from "zod";
import { parseJson } from "../../../base/text/index.ts";
import type { Outcome } from "../../../sandbox/index.ts";
import type { ExecPorts } from "../../runs/exec-ports.ts";
import { recordOutcome } from "../../runs/record/record-outcome.ts";
import { asDrydockError, refuseRun } from "../../runs/refuse-run.ts";
import { documentError } from "../read/document-error.ts";
import { placeSections, type Section } from "../read/section.ts";
import { EXTRACTOR_DIRECTORY } from "./extractor-file.ts";

type Ports = Pick<ExecPorts, "ledger" | "sandbox" | "policies">;

/** Reads files that could attack their reader. Each is read in the sandbox, where it has bounded time, memory and output. */
export interface Extractor {
  extract(format: "html" | "pdf", content: Buffer): Promise<Section[]>;
  /** Ends the process. A call that is under way fails. */
  close(): Promise<void>;
}

const DOCUMENT_MS = 60_000;
const INSIDE = "/extension";
const COMMAND = ["node", "--max-old-space-size=320", `${INSIDE}/main.js`];
const PIECE_BYTES = 192 * 1024;
/** The part of a process's output after which the next document gets a new one. */
const OUTPUT_SHARE = 0.5;

/** What comes out of the sandbox is as foreign as the document. */
const Answer = z.union([
  z.strictObject({
    id: z.number(),
    parts: z.array(
      z.strictObject({ text: z.string(), page: z.number().int().optional(), heading: z.string().optional() }),
    ),
  }),
  z.strictObject({ id: z.number(), reason: z.string() }),
]);

export interface ExtractorOptions {
  title: string;
  /** For tests. */
  documentMs?: number;
  signal?: AbortSignal;
}

/** One process for many documents: it is started with the first, and again after one that broke it. */
export function createExtractor(ports: Ports, options: ExtractorOptions): Extractor {
  let process: Process | null = null;
  let last = 0;
  return {
    async extract(format, content) {
      if (process?.isUsedUp() === true) await end();
      process ??= await startProcess(ports, options);
      const current = process;
      const id = ++last;
      let answer: z.infer<typeof Answer>;
      try {
        answer = readAnswer(await current.ask(id, format, content), id);
      } catch (error) {
        process = null;
        await current.end();
        throw error;
      }
      return toSections(answer);
    },
    close: end,
  };

  async function end(): Promise<void> {
    const ended = process;
    process = null;
    await ended?.end();
  }
}

function readAnswer(line: string, id: number): z.infer<typeof Answer> {
  const read = Answer.safeParse(parseJson(line));
  if (read.success && read.data.id === id) return read.data;
  throw documentError("The file can't be read.", "Convert it to text first.");
}

function toSections(answer: z.infer<typeof Answer>): Section[] {
  if ("parts" in answer) return placeSections(answer.parts);
  const reason = answer.reason.slice(0, 200).replace(/\s+/g, " ").replace(/\.$/, "");
  throw documentError(`The file can't be read: ${reason}.`, "Check it with another program, or convert it to text.");
}

interface Process {
  ask(id: number, format: string, content: Buffer): Promise<string>;
  isUsedUp(): boolean;
  end(): Promise<void>;
}

async function startProcess({ ledger, policies, sandbox }: Ports, options: ExtractorOptions): Promise<Process> {
  const { title, documentMs = DOCUMENT_MS, signal } = options;
  const { ceiling } = await policies.resolve({ workspace: null });
  const { wallSeconds, cpuSeconds, outputMb } = ceiling.limits;
  const { effective: policy } = await policies.resolve({
    workspace: null,
    request: {
      limits: { wallSeconds, cpuSeconds, outputMb },
      network: { allow: [], upstreams: [] },
      environment: { allow: [] },
    },
  });
  const request = { command: COMMAND };
  const { id: runId } = await ledger.createRun({ kind: "exec", title, workspace: null, data: { policy, request } });
  const stop = new AbortController();
  const input = createInput();
  const lines = createLines();
  const finished = sandbox()
    .run({
      work: { language: "command", code: "", argv: COMMAND },
      ...{ policy, workspace: null, environment: {}, trusted: true, stdin: input.source },
      mounts: [{ source: EXTRACTOR_DIRECTORY, target: INSIDE }],
      signal: signal ? AbortSignal.any([signal, stop.signal]) : stop.signal,
      onOutput: (stream, bytes) => stream === "stdout" && lines.take(bytes),
    })
    .then((outcome) => recordEnd(ledger, runId, outcome))
    .catch(async (error: unknown) => (await refuseRun(ledger, runId, asDrydockError(error))).error);
  return {
    async ask(id, format, content) {
      const answered = lines.next();
      input.push(`${JSON.stringify({ id, format })}\n`, content);
      const late = Promise.withResolvers<never>();
      const timer = setTimeout(() => late.reject(tooLate(documentMs)), documentMs);
      try {
        const broken = finished.then((error): never => {
          throw explainEnd(error);
        });
        return await Promise.race([answered, late.promise, broken]);
      } finally {
        clearTimeout(timer);
      }
    },
    isUsedUp: () => lines.bytes() > outputMb * 1024 * 1024 * OUTPUT_SHARE,
    async end() {
      if (lines.isWaiting()) stop.abort();
      input.end();
      await finished;
    },
  };
}

/** The text of the documents is not kept with the run: it is in the knowledge base. */
async function recordEnd(ledger: Ports["ledger"], runId: string, outcome: Outcome): Promise<ErrorInfo | null> {
  const recorded = await recordOutcome(ledger, runId, { ...outcome, stdout: Buffer.alloc(0) });
  await ledger.finish(runId, recorded.terminal, recorded.events);
  return outcome.error;
}

function explainEnd(error: ErrorInfo | null): DrydockError {
  if (error === null || error.code === "code.exit" || error.code === "code.crash")
    return documentError("Reading the file ended without a result.", "Convert it to text first.");
  const { code, message, hint, ...data } = error;
  return new DrydockError(code, `Reading the file ended: ${message}`, hint, data);
}

function tooLate(ms: number): DrydockError {
  const message = `Reading the file took longer than ${ms / 1000} s.`;
  return new DrydockError("limit.timeout", message, "Divide it, or convert it to text first.");
}

/** What is sent to the process: a line, and the content as a line of base64, in pieces. */
function createInput() {
  const waiting: (string | Buffer)[] = [];
  let isEnded = false;
  let wake = () => {};
  async function* source(): AsyncGenerator<string> {
    while (true) {
      const next = waiting.shift();
      if (typeof next === "string") yield next;
      else if (next) {
        for (let at = 0; at < next.length; at += PIECE_BYTES)
          yield next.subarray(at, at + PIECE_BYTES).toString("base64");
        yield "\n";
      } else if (isEnded) return;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  }
  return {
    source: source(),
    push(...pieces: (string | Buffer)[]) {
      waiting.push(...pieces);
      wake();
    },
    end() {
      isEnded = true;
      wake();
    },
  };
}

/** Lines that come out, one asked for at a time. */
function createLines() {
  let parts: Buffer[] = [];
  let bytes = 0;
  let waiting: ((line: string) => void) | null = null;
  return {
    take(piece: Uint8Array) {
      bytes += piece.length;
      const end = piece.indexOf(10);
      parts.push(Buffer.from(end === -1 ? piece : piece.subarray(0, end)));
      if (end === -1) return;
      const line = Buffer.concat(parts).toString();
      parts = [];
      waiting?.(line);
      waiting = null;
    },
    next: () =>
      new Promise<string>((resolve) => {
        waiting = resolve;
      }),
    isWaiting: () => waiting !== null,
    bytes: () => bytes,
  };
}
