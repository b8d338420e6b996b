import { API_ERROR_NUMBER, RUNNER_LIMITS } from "@drydock/protocol/runner";
import { createJSONRPCErrorResponse, JSONRPCClient, JSONRPCServer, JSONRPCServerAndClient } from "json-rpc-2.0";
import { toApiError } from "../access/to-api-error.ts";
import type { Link } from "./link.ts";

export interface ChannelListeners {
  /** A call of the host API. What it throws is the answer. */
  onCall(method: string, params: unknown): Promise<unknown>;
  onNotification(method: string, params: unknown): void;
  /** The process does not follow the protocol: it is to be ended. */
  onFault(message: string): void;
}

export interface Channel {
  request(method: string, params: unknown): Promise<unknown>;
  notify(method: string, params: unknown): void;
  /** Text from the process: one message, or lines in pieces of any size. */
  receive(text: string, isWhole: boolean): void;
  /** Whatever waits for an answer is rejected. */
  close(reason: string): void;
}

/** A process that opens more calls at once than this is ended: nothing of it is kept waiting. */
const MAX_OPEN_CALLS = 2000;

/** JSON-RPC 2.0 in both directions. */
export function openChannel(
  transport: Pick<Link, "send">,
  methods: readonly string[],
  { onCall, onNotification, onFault }: ChannelListeners,
): Channel {
  let line = "";
  let openCalls = 0;
  let isClosed = false;
  const fail = (message: string) => {
    if (isClosed) return;
    isClosed = true;
    line = "";
    onFault(message);
  };
  const send = (payload: unknown) => {
    if (isClosed) throw new Error("The channel is closed.");
    if (!transport.send(JSON.stringify(payload))) fail("The process does not read what is sent to it.");
  };
  const server = new JSONRPCServer({ errorListener: () => {} });
  server.mapErrorToJSONRPCErrorResponse = (id, error) => {
    const { info } = toApiError("The call", error);
    return createJSONRPCErrorResponse(id, API_ERROR_NUMBER, info.message, info);
  };
  const peer = new JSONRPCServerAndClient(server, new JSONRPCClient(send), { errorListener: () => {} });
  for (const method of methods)
    peer.addMethod(method, async (params: unknown) => {
      try {
        return await onCall(method, params);
      } catch (error) {
        throw toApiError(method, error);
      }
    });

  const take = async (text: string) => {
    if (text.trim() === "") return;
    const message = parse(text);
    if (message === null)
      return fail("The process wrote a line that is not a JSON-RPC message. It must log to stderr.");
    if ("method" in message && !("id" in message)) return onNotification(String(message.method), message.params);
    const isCall = "method" in message;
    if (isCall && ++openCalls > MAX_OPEN_CALLS) return fail(`More than ${MAX_OPEN_CALLS} calls are open at once.`);
    try {
      await peer.receiveAndSend(message, undefined, undefined);
    } catch {
      // An answer that nobody waits for any more.
    } finally {
      if (isCall) openCalls--;
    }
  };

  const receiveLine = (one: string) => {
    if (isClosed) return;
    if (Buffer.byteLength(one) > RUNNER_LIMITS.lineBytes) fail(TOO_LONG);
    else take(one).catch((error: unknown) => fail(`The process sent a message that can't be read: ${error}.`));
  };

  return {
    request: async (method, params) => peer.request(method, params as object, undefined),
    notify(method, params) {
      if (!isClosed) peer.notify(method, params as object, undefined);
    },
    receive(text, isWhole) {
      if (isWhole) return receiveLine(text);
      const lines = (line + text).split("\n");
      line = lines.pop() ?? "";
      for (const one of lines) {
        if (isClosed) return;
        receiveLine(one);
      }
      if (line.length > RUNNER_LIMITS.lineBytes) fail(TOO_LONG);
    },
    close(reason) {
      isClosed = true;
      peer.rejectAllPendingRequests(reason);
    },
  };
}

const TOO_LONG = `The process wrote a line of more than ${RUNNER_LIMITS.lineBytes} bytes.`;

/** An answer, or a message whose method has a name. */
function isNamed(value: object): boolean {
  return !("method" in value) || typeof value.method === "string";
}

/** Null for a line that is no message. */
function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    const isMessage = typeof value === "object" && value !== null && "jsonrpc" in value && value.jsonrpc === "2.0";
    return isMessage && isNamed(value) ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
