import { SOCKET_PROTOCOL, SOCKET_TOKEN_PREFIX } from "@drydock/protocol";
import type { ClientOptions } from "./call-operation.ts";

export const DEFAULT_URL = "http://127.0.0.1:8088";

/** Where a WebSocket of the server is. Fields without a value are left out. */
export function addressOf({ baseUrl = DEFAULT_URL }: ClientOptions, path: string, query: object): string {
  const fields = Object.entries(query).filter(([, value]) => value !== undefined);
  return `${baseUrl.replace(/\/+$/, "").replace(/^http/, "ws")}${path}?${new URLSearchParams(fields)}`;
}

export function protocolsOf({ token }: ClientOptions): string[] {
  return [SOCKET_PROTOCOL, ...(token === undefined ? [] : [`${SOCKET_TOKEN_PREFIX}${token}`])];
}
