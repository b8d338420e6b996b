import type { ServerResponse } from "node:http";
import type { ProxyAnswer } from "./open-target.ts";

export function sendAnswer(response: ServerResponse, { status, headers, body }: ProxyAnswer): void {
  if (response.destroyed) return;
  const length = Buffer.byteLength(body);
  response.writeHead(status, { ...headers, "Content-Type": "text/plain; charset=utf-8", "Content-Length": length });
  response.end(body);
}
