import type { Socket } from "node:net";
import { DrydockError, explainIssues } from "@drydock/protocol";
import { type AnswerQueue, createAnswerQueue } from "../../base/waiting/index.ts";
import type { AnswerInput, ScanProgress } from "../../sandbox/index.ts";
import type { Dock } from "../dock.ts";
import { createLineReader } from "./line-reader.ts";
import { KEEPER_OPS, KEEPER_VERSION, type KeeperReply, KeeperRequest, MAX_REQUEST_BYTES } from "./messages.ts";
import { ownLedger } from "./own-ledger.ts";
import { serveRequest } from "./serve-request.ts";
import { toErrorInfo } from "./to-error-info.ts";

/** Answers the requests of one client until it leaves; what it left unfinished is cancelled then. */
export function serveConnection(socket: Socket, dock: Dock, maxRequestBytes = MAX_REQUEST_BYTES): void {
  const underWay = new Map<number, { controller: AbortController; answers: AnswerQueue<string | null> }>();

  function send(reply: KeeperReply): void {
    if (!socket.destroyed && socket.writable) socket.write(`${JSON.stringify(reply)}\n`);
  }

  async function answer(request: KeeperRequest): Promise<void> {
    const { id } = request;
    if (request.op === "cancel") {
      underWay.get(request.params.target)?.controller.abort();
      send({ id, result: {} });
      return;
    }
    if (request.op === "input") {
      underWay.get(request.params.target)?.answers.give(request.params.text);
      send({ id, result: {} });
      return;
    }
    if (underWay.has(id)) {
      const hint = "Give each request an id of its own.";
      throw new DrydockError("input.invalid", `A request with the id ${id} is already under way.`, hint);
    }
    const controller = new AbortController();
    const { signal } = controller;
    const answers = createAnswerQueue<string | null>();
    underWay.set(id, { controller, answers });
    try {
      const onInput: AnswerInput = ({ hidden, signal: over }) => {
        send({ id, input: { hidden } });
        return answers.next(AbortSignal.any([signal, over]));
      };
      const onOutput = (output: { stream: "stdout" | "stderr"; text: string }) => send({ id, output });
      const onReading = (reading: ScanProgress) => send({ id, reading });
      send({ id, result: await serveRequest(request, { dock, signal, onOutput, onReading, onInput }) });
    } finally {
      underWay.delete(id);
    }
  }

  function receive(line: string): void {
    let id: number | null = null;
    try {
      const value = parseLine(line);
      id = readId(value);
      const request = checkRequest(value);
      answer(request).catch((error: unknown) => send({ id: request.id, error: toErrorInfo(error) }));
    } catch (error) {
      send({ id, error: toErrorInfo(error) });
    }
  }

  function refuseLongLine(): void {
    const message = `A request is longer than ${maxRequestBytes} bytes.`;
    send({ id: null, error: { code: "input.invalid", message, hint: "Send less code, or read it from a file." } });
    socket.destroySoon();
  }

  const reader = createLineReader(maxRequestBytes, receive, refuseLongLine);
  socket.on("data", (chunk: Buffer) => reader.push(chunk));
  socket.on("error", () => socket.destroy());
  socket.on("close", () => {
    for (const { controller } of underWay.values()) controller.abort();
  });
  send({ keeper: KEEPER_VERSION, ledger: ownLedger() });
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw new DrydockError("input.invalid", "A request is not valid JSON.", "Send one JSON value per line.", {}, cause);
  }
}

function readId(value: unknown): number | null {
  const id = typeof value === "object" && value !== null && "id" in value ? value.id : null;
  return typeof id === "number" ? id : null;
}

function checkRequest(value: unknown): KeeperRequest {
  const checked = KeeperRequest.safeParse(value);
  if (checked.success) return checked.data;
  const hint = `A request has an id, params, and as op one of ${KEEPER_OPS.join(", ")}.`;
  throw new DrydockError(
    "input.invalid",
    `A request is malformed: ${explainIssues(checked.error.issues.slice(0, 5), "request").join("; ")}`,
    hint,
  );
}
