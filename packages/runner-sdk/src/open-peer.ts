import { ApiError, ApiErrorInfo, type HostMethod } from "@drydock/protocol/runner";
import {
  createJSONRPCErrorResponse,
  JSONRPCClient,
  JSONRPCErrorCode,
  JSONRPCErrorException,
  JSONRPCServer,
  JSONRPCServerAndClient,
} from "json-rpc-2.0";

export interface Peer {
  answer(method: string, handler: (params: unknown) => unknown): void;
  notify(method: string, params: object): void;
  call(method: HostMethod, params: object): Promise<unknown>;
  /** One line of the host; null for one that was too long. Resolves when it has been answered. */
  receive(line: string | null): Promise<void>;
  /** Calls that wait for the host are rejected. */
  close(): void;
}

/** JSON-RPC 2.0 in both directions, one message a line. */
export function openPeer(send: (line: string) => void, warn: (text: string) => void): Peer {
  const post = (payload: unknown) => send(`${JSON.stringify(payload)}\n`);
  const complain = (code: JSONRPCErrorCode, text: string) => {
    warn(text);
    // JSON-RPC wants null as the id where a message could not be read.
    post(createJSONRPCErrorResponse(null, code, text));
  };
  const errorListener = (text: string, error: unknown) =>
    warn(`${text} ${error instanceof Error ? error.message : ""}`);
  const server = new JSONRPCServer({ errorListener });
  const peer = new JSONRPCServerAndClient(server, new JSONRPCClient(post), { errorListener: () => {} });

  return {
    answer: (method, handler) => peer.addMethod(method, handler),
    notify: (method, params) => peer.notify(method, params, undefined),
    async call(method, params) {
      try {
        return await peer.request(method, params, undefined);
      } catch (error) {
        throw toApiError(method, error);
      }
    },
    async receive(line) {
      if (line === null) return complain(JSONRPCErrorCode.InvalidRequest, "A line of the host was too long.");
      let message: unknown;
      try {
        message = JSON.parse(line);
      } catch {
        return complain(JSONRPCErrorCode.ParseError, "A line of the host was not JSON.");
      }
      if (Array.isArray(message))
        return complain(JSONRPCErrorCode.InvalidRequest, "A line of the host was a list of messages.");
      await peer
        .receiveAndSend(message, undefined, undefined)
        .catch(() => complain(JSONRPCErrorCode.InvalidRequest, "A line of the host was not a JSON-RPC message."));
    },
    close: () => peer.rejectAllPendingRequests("The host has closed the channel."),
  };
}

export function invalidParams(text: string): JSONRPCErrorException {
  return new JSONRPCErrorException(text, JSONRPCErrorCode.InvalidParams);
}

function toApiError(method: string, error: unknown): ApiError {
  const { data, code, message } = Object(error) as { data?: unknown; code?: unknown; message?: unknown };
  const info = ApiErrorInfo.safeParse(data);
  if (info.success) return new ApiError(info.data.code, info.data.message, info.data);
  return new ApiError("runtime_error", `${method} failed: ${message}`, { details: { jsonrpc_code: code } });
}
