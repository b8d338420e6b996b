import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { DrydockError, ModelAnswer } from "@drydock/protocol";
import * as z from "zod";
import type { Model, ModelRequest } from "../../models/index.ts";

/** `auto`: replays where there is a file, records where there is none. */
export type RecordingMode = "auto" | "record" | "replay";

const Exchange = z.object({
  /** A hash of the whole request. */
  key: z.string(),
  /** For people. */
  asked: z.object({ step: z.string(), task: z.string().nullable(), last: z.string() }),
  answer: ModelAnswer,
});
const RecordingFile = z.object({ version: z.literal(1), exchanges: z.array(Exchange) });
type RecordingFile = z.infer<typeof RecordingFile>;

export interface Recording {
  readonly mode: "record" | "replay";
  /** Sits between the caller and the model. A replay asks no model. */
  wrap(model: Model | null): Model;
  /** Requests so far. */
  requestCount(): number;
}

const LAST_CHARS = 200;

export function openRecording(file: string, mode: RecordingMode = "auto"): Recording {
  const isReplay = mode === "replay" || (mode === "auto" && existsSync(file));
  const recorded = isReplay ? readRecording(file) : { version: 1 as const, exchanges: [] };
  const uses = new Map<string, number>();
  let requestCount = 0;
  return {
    mode: isReplay ? "replay" : "record",
    requestCount: () => requestCount,
    wrap: (model) => ({
      id: isReplay ? "recording" : (model?.id ?? "none"),
      scripted: model?.scripted ?? false,
      async ask(request) {
        requestCount++;
        const key = hashRequest(request);
        if (isReplay) return replay(file, recorded, uses, key, request);
        if (!model) throw noModel(file);
        const answer = await model.ask(request);
        recorded.exchanges.push({ key, asked: describeRequest(request), answer });
        saveRecording(file, recorded);
        return answer;
      },
    }),
  };
}

/** A repeated request gets its next answer, and the last one once there are no more. */
function replay(
  file: string,
  { exchanges }: RecordingFile,
  uses: Map<string, number>,
  key: string,
  request: ModelRequest,
) {
  const fitting = exchanges.filter((exchange) => exchange.key === key);
  const use = uses.get(key) ?? 0;
  uses.set(key, use + 1);
  const answer = fitting[Math.min(use, fitting.length - 1)]?.answer;
  if (!answer) throw notRecorded(file, request);
  if (answer.text !== "") request.onText?.(answer.text);
  return answer;
}

/** Addresses of objects differ from run to run, and mean nothing. */
function hashRequest({ step, task, system, messages, tools, output }: ModelRequest): string {
  const text = JSON.stringify({ step, task, system, messages, tools, output }).replaceAll(/0x[0-9a-f]{6,}/g, "0x…");
  return createHash("sha256").update(text).digest("hex");
}

function describeRequest({ step, task, messages }: ModelRequest) {
  return { step, task: task ?? null, last: (messages.at(-1)?.text ?? "").slice(-LAST_CHARS) };
}

function readRecording(file: string): RecordingFile {
  try {
    return RecordingFile.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
    const hint = 'Record it again with mode: "record" and a model.';
    throw new DrydockError("input.invalid", `${file}: the recording can't be read: ${reason}`, hint, { file }, error);
  }
}

/** Readers see the old file or the new one, never a part. */
function saveRecording(file: string, recording: RecordingFile): void {
  mkdirSync(dirname(file), { recursive: true });
  const fresh = `${file}.${process.pid}.new`;
  writeFileSync(fresh, `${JSON.stringify(recording, null, 2)}\n`);
  renameSync(fresh, file);
}

function notRecorded(file: string, request: ModelRequest): DrydockError {
  const { step, task, last } = describeRequest(request);
  return new DrydockError(
    "model.failed",
    `${file}: the recording has no answer to this request (${step}${task === null ? "" : ` of ${task}`}): …${last}`,
    'The prompt, the input or the code\'s output has changed since. Record again with mode: "record" and a model.',
    { file, step, task },
  );
}

function noModel(file: string): DrydockError {
  return new DrydockError(
    "model.unavailable",
    `${file}: there is no recording yet, and no model to record with.`,
    "Set `model` or the variable DRYDOCK_MODEL, and set the API key of that model.",
    { file },
  );
}
