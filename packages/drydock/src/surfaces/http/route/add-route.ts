import type { IncomingMessage, ServerResponse } from "node:http";
import type { Operation, OperationRequest, OperationResponse } from "@drydock/protocol/http";
import type { Context, Hono } from "hono";
import { answerError } from "../guard/answer-error.ts";
import { HttpProblem } from "../guard/http-problem.ts";
import type { ServerContext } from "../server-context.ts";
import { readDeadlineMs, startDeadline } from "./deadline.ts";
import { readBody } from "./read-body.ts";
import { readRequest } from "./read-request.ts";
import { type Emit, streamCall } from "./stream-call.ts";

/** What @hono/node-server adds; nothing where there is no socket. */
export interface SocketEnv {
  Bindings: Partial<{ incoming: IncomingMessage; outgoing: ServerResponse }>;
}

export interface RouteRequest<O extends Operation> extends OperationRequest<O> {
  /** Aborts when the caller is gone, the deadline is over, or the server closes. */
  signal: AbortSignal;
  headers: Headers;
  /** Set where the caller wants to see what happens meanwhile. */
  emit: Emit | undefined;
}

/** What it gives back becomes JSON, or text of the operation's media; a response stays as it is. */
export type RouteHandler<O extends Operation> = (
  request: RouteRequest<O>,
) => Promise<OperationResponse<O> | Response> | OperationResponse<O> | Response;

/** How the body is read, where it need not be JSON: its value, and a text that is the same for the same body. */
export type ReadBody = (request: Request, maxBytes: number) => Promise<{ text: string; value: unknown }>;

export type AddRoute = <O extends Operation>(
  name: string,
  operation: O,
  handler: RouteHandler<O>,
  read?: ReadBody,
) => void;

/** Puts an operation on the server: who may ask, how often, how much, for how long, and how it is answered. */
export function createRoutes(app: Hono<SocketEnv>, server: ServerContext): AddRoute {
  return (name, operation, handler, read = readBody) => {
    app.on(operation.method.toUpperCase(), operation.path.replaceAll(/\{(\w+)\}/g, ":$1"), async (c) => {
      const startedMs = performance.now();
      const response = await answer(c, server, { name, operation, handler, read }).catch(answerError);
      server.metrics.answered(name, response.status, (performance.now() - startedMs) / 1000);
      // From here on bytes must be taken, or the connection is closed.
      c.env?.outgoing?.socket?.setTimeout(server.limits.stallMs);
      return response;
    });
  };
}

async function answer<O extends Operation>(
  c: Context<SocketEnv>,
  server: ServerContext,
  route: { name: string; operation: O; handler: RouteHandler<O>; read: ReadBody },
): Promise<Response> {
  const { name, operation, handler } = route;
  const request = c.req.raw;
  const { headers } = request;
  server.limitRate(c.env?.incoming?.socket.remoteAddress ?? "here");
  if (operation.scope !== null) server.authorize(headers, operation.scope, request.method);
  const body = operation.body ? await route.read(request, server.limits.bodyBytes) : { text: "", value: undefined };
  const read = readRequest(operation, { params: c.req.param(), query: c.req.query(), body: body.value });
  const deadlineMs = readDeadlineMs(headers, server.limits.deadlineMs);
  const wantsStream = operation.streams === "calls" && acceptsStream(headers);
  const key = operation.idempotent ? headers.get("idempotency-key") : null;
  if (wantsStream) {
    if (key !== null) throw noKeyForStreams();
    return stream(server, request.signal, deadlineMs, (signal, emit) => handler({ ...read, headers, signal, emit }));
  }
  const act = async (outer: AbortSignal[]): Promise<Response> => {
    using deadline = startDeadline(deadlineMs, [...outer, server.activity.stopping]);
    const work = Promise.resolve(handler({ ...read, headers, signal: deadline.signal, emit: undefined }));
    return toResponse(operation, await deadline.hold(server.activity.track(work)));
  };
  if (key === null) return act([request.signal]);
  // Somebody else may be waiting for the same: it goes on where this caller goes away.
  const keyedRequest = { name: `${name} ${c.req.path}`, text: body.text };
  return server.idempotency.once(key, keyedRequest, () => act([]).catch(answerError));
}

function stream(
  server: ServerContext,
  gone: AbortSignal,
  deadlineMs: number,
  act: (signal: AbortSignal, emit: Emit) => unknown,
): Response {
  const lost = new AbortController();
  const deadline = startDeadline(deadlineMs, [gone, lost.signal, server.activity.stopping]);
  const over = server.metrics.streaming();
  const { response, done } = streamCall(
    server.limits,
    async (emit) => {
      using _ = deadline;
      return deadline.hold(Promise.resolve(act(deadline.signal, emit)));
    },
    () => lost.abort(),
  );
  server.activity.track(done).finally(over);
  return response;
}

function toResponse(operation: Operation, value: unknown): Response {
  if (value instanceof Response) return value;
  if (operation.media !== undefined) {
    return new Response(String(value), {
      status: operation.status ?? 200,
      headers: { "content-type": operation.media },
    });
  }
  const headers = { "content-type": "application/json" };
  return new Response(JSON.stringify(value), { status: operation.status ?? 200, headers });
}

export function acceptsStream(headers: Headers): boolean {
  return /(^|[,\s])text\/event-stream\b/i.test(headers.get("accept") ?? "");
}

function noKeyForStreams(): HttpProblem {
  const hint = "Leave the key out, or start a run in the background and follow its events.";
  return new HttpProblem(400, { message: "An Idempotency-Key can't be combined with a stream.", hint });
}
