import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { DrydockError } from "@drydock/protocol";
import type { Dispatcher } from "undici";
import { estimateTokens } from "../models/index.ts";
import type { UpstreamRequest } from "../sandbox/index.ts";
import { checkPath } from "./check-path.ts";
import { incomingHeaders, outgoingHeaders } from "./headers.ts";
import { matchRule } from "./match-rule.ts";
import type { Meter, MeteredCall } from "./meter/create-meter.ts";
import { type ModelCall, readModelCall } from "./meter/read-model-call.ts";
import { type WatchedAnswer, watchAnswer } from "./meter/watch-answer.ts";
import { type HeldBytes, readBody } from "./read-body.ts";
import { createStreamRedactor, createTextRedactor } from "./redact-key.ts";
import { openDecoder, type Sender } from "./send-request.ts";
import type { Upstream } from "./upstream.ts";
import { type RefusalKind, writeError } from "./write-error.ts";

/** One upstream, ready to serve a run. */
export interface ServedUpstream {
  upstream: Upstream;
  meter: Meter;
  /** Spellings of its key. */
  spellings: readonly string[];
  sender: Sender;
  held: HeldBytes;
}

/** What is known of a request while it is under way; the record is made of it. */
export type Progress = UpstreamRequest;

class Refused extends Error {
  readonly kind: RefusalKind;

  constructor(kind: RefusalKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/**
 * One exchange: check → reserve → send with the key → pass the answer on without it → settle. Whatever is wrong is
 * answered in the shape of the upstream's own errors. Never rejects.
 */
export async function serveRequest(
  served: ServedUpstream,
  target: string,
  request: IncomingMessage,
  response: ServerResponse,
  progress: Progress,
  signal: AbortSignal,
): Promise<void> {
  const { upstream } = served;
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  const ended = AbortSignal.any([signal, gone.signal]);
  try {
    await exchange(served, target, request, response, progress, ended);
  } catch (error) {
    // A run that is gone, or over, gets no answer.
    if (ended.aborted && !(error instanceof Refused)) {
      response.destroy();
      return;
    }
    const { kind, message } = explain(error, served);
    progress.refused = message;
    progress.status = writeError(response, upstream.api, kind, `Drydock: ${message}`);
  }
}

function explain(error: unknown, { upstream, spellings }: ServedUpstream): { kind: RefusalKind; message: string } {
  if (error instanceof Refused) return error;
  if (error instanceof DrydockError && error.code === "limit.budget") {
    return { kind: "budget", message: `${error.message} ${error.hint}` };
  }
  const reason = error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? error.message) : "it failed";
  const message = createTextRedactor(spellings)(String(reason));
  return { kind: "unreachable", message: `the upstream ${upstream.name} can't be reached: ${message}` };
}

/** The part of the address that goes to the upstream, if the rules let it through. */
function checkTarget(
  { name, prefix, allow }: Upstream,
  target: string,
  method: string,
): { segments: readonly string[]; rest: string } {
  const checked = checkPath(target);
  if (!checked.ok) throw new Refused("invalid", `${checked.reason}.`);
  const { path } = checked;
  if (!matchRule(allow, method, checked.segments) || !(path === prefix || path.startsWith(`${prefix}/`))) {
    const hint = `The owner can add it to upstreams.${name}.allow in config.yaml.`;
    throw new Refused("denied", `the upstream ${name} does not let runs ask for ${method} ${path}. ${hint}`);
  }
  return { segments: checked.segments, rest: target.slice(prefix.length) };
}

async function exchange(
  served: ServedUpstream,
  target: string,
  request: IncomingMessage,
  response: ServerResponse,
  progress: Progress,
  signal: AbortSignal,
): Promise<void> {
  const { upstream, meter, sender, held } = served;
  const method = request.method ?? "GET";
  const { segments, rest } = checkTarget(upstream, target, method);
  const hasBody = request.headers["content-length"] !== undefined || request.headers["transfer-encoding"] !== undefined;
  const isMetered = method === "POST" && upstream.api !== "github" && upstream.api !== "other";
  const body = isMetered ? await readBody(request, held) : hasBody ? request : null;
  if (isMetered && body === null) throw new Refused("too_large", "the request is larger than 32 MB.");
  const bytes = Buffer.isBuffer(body) ? body.length : 0;
  progress.bytesUp = bytes;
  if (body === request) countBytes(request, progress);
  try {
    const call = Buffer.isBuffer(body) ? readCall(upstream, segments, request, body) : null;
    const metered = call && (await meter.admit(call, signal));
    const settle = createSettlement(call, metered, progress);
    try {
      const headers = outgoingHeaders(request, upstream);
      const length = request.headers["content-length"];
      if (hasBody && body === request && length !== undefined) headers["content-length"] = length;
      const sent = Buffer.isBuffer(body) ? (call && rewrite(call, metered)) || body : body;
      const url = splitUrl(upstream.baseUrl, rest);
      const sending = sender.send({ url, method, headers, body: sent, proxy: upstream.proxy, signal });
      const answer = await sending.catch((error: NodeJS.ErrnoException) => {
        if (NOT_SENT.has(error.code ?? "")) settle.drop();
        throw error;
      });
      await pass(served, answer, response, progress, call, settle);
    } finally {
      settle.cut();
    }
  } finally {
    held.bytes -= bytes;
  }
}

/** What can't be read can't be counted: it would be free. */
function readCall(
  { api }: Upstream,
  segments: readonly string[],
  { headers }: IncomingMessage,
  body: Buffer,
): ModelCall | null {
  const read = readModelCall(api, segments, body, headers["content-encoding"]?.trim().toLowerCase());
  switch (read.kind) {
    case "call":
      return read.call;
    case "free":
      return null;
    case "unreadable":
      throw new Refused("invalid", "a request to a model has to be a JSON object in UTF-8 that is not compressed.");
    default:
      return read satisfies never;
  }
}

/** It flows only when somebody reads it. */
function countBytes(request: IncomingMessage, progress: Progress): void {
  request.on("data", (chunk: Buffer) => {
    progress.bytesUp += chunk.length;
  });
  request.pause();
}

/** The path goes out as it was checked: nothing may normalise it on the way. */
function splitUrl(baseUrl: string, rest: string): { origin: string; path: string } {
  const { origin, pathname } = new URL(baseUrl);
  return { origin, path: `${pathname === "/" ? "" : pathname}${rest === "" ? "/" : rest}` };
}

function rewrite(call: ModelCall, metered: MeteredCall | null): Buffer | null {
  const maxOutputTokens = metered?.maxOutputTokens;
  if (maxOutputTokens === undefined && !call.needsUsage) return null;
  return call.write({ maxOutputTokens, withUsage: call.needsUsage });
}

async function pass(
  { upstream, spellings }: ServedUpstream,
  answer: Dispatcher.ResponseData,
  response: ServerResponse,
  progress: Progress,
  call: ModelCall | null,
  settle: Settlement,
): Promise<void> {
  const { statusCode, headers, body } = answer;
  const decoder = openDecoder(String(headers["content-encoding"] ?? ""));
  if (decoder === undefined) {
    body.on("error", () => {}).destroy();
    throw new Refused("unreachable", `the upstream ${upstream.name} answered in an encoding that can't be searched.`);
  }
  const kept = incomingHeaders(headers, upstream, createTextRedactor(spellings));
  const watched = watchAnswer(String(headers["content-type"] ?? ""), call?.needsUsage === true);
  progress.status = statusCode;
  settle.watch(watched, statusCode);
  response.sendDate = false;
  response.writeHead(statusCode, kept);
  // A run sees that an answer has begun, however long its body takes.
  response.flushHeaders();
  const redactor = createStreamRedactor(spellings);
  redactor.on("data", (chunk: Buffer) => {
    progress.bytesDown += chunk.length;
  });
  const steps = decoder ? [body, decoder, watched.stream, redactor] : [body, watched.stream, redactor];
  await pipeline([...steps, response]);
  settle.finish();
}

/** There was no connection: the upstream knows nothing of the request, which has cost nothing. */
const NOT_SENT = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "ENETUNREACH", "UND_ERR_CONNECT_TIMEOUT"]);

/** What a request to a model used is counted once, whichever way it ends. */
interface Settlement {
  watch(answer: WatchedAnswer, status: number): void;
  finish(): void;
  /** Nothing was sent. */
  drop(): void;
  /** The request ended in another way. */
  cut(): void;
}

function createSettlement(call: ModelCall | null, metered: MeteredCall | null, progress: Progress): Settlement {
  let answer: WatchedAnswer | null = null;
  let isError = false;
  let isSettled = call === null || metered === null;

  function settle(isWhole: boolean, isSent = true): void {
    if (isSettled || !call || !metered) return;
    isSettled = true;
    if (!isSent || isError || (answer === null && progress.status !== 0)) {
      metered.cancel();
      return;
    }
    const { estimated, ...use } = metered.settle(...countUse(call, metered, answer, isWhole));
    Object.assign(progress, use, estimated && { estimated });
  }

  return {
    watch(watched, status) {
      answer = watched;
      isError = status >= 400;
    },
    finish: () => settle(true),
    drop: () => settle(false, false),
    cut: () => settle(false),
  };
}

/** The tokens, and whether a part of them is an estimate. */
function countUse(
  call: ModelCall,
  { reservedOutput }: MeteredCall,
  answer: WatchedAnswer | null,
  isWhole: boolean,
): Parameters<MeteredCall["settle"]> {
  const said = answer?.usage() ?? null;
  // Of an answer that goes on elsewhere, or was not streamed and is not all there, nothing is known: it may be as long as it can.
  if (call.isBackground ? said === null : !isWhole && !call.isStreamed) return [{ output: reservedOutput }, true];
  if (isWhole && said) return [said, false];
  // A stream that is cut off may have said how much it had taken when it began. What came after that counts as well.
  const unsaid = estimateTokens(answer?.unsaidBytes() ?? 0);
  return [{ ...said, output: (said?.output ?? 0) + unsaid }, true];
}
