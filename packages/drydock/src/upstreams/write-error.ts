import type { ServerResponse } from "node:http";
import type { UpstreamApi } from "@drydock/protocol";

/** Why Drydock answers in the place of an upstream. */
export type RefusalKind = "denied" | "invalid" | "budget" | "too_large" | "unreachable";

const STATUS: Readonly<Record<RefusalKind, number>> = {
  denied: 403,
  invalid: 400,
  budget: 429,
  too_large: 413,
  unreachable: 502,
};

/** Anthropic's own words. A client that sees `rate_limit_error` tries again, which no budget changes by. */
const ANTHROPIC_TYPES: Readonly<Record<RefusalKind, string>> = {
  denied: "permission_error",
  invalid: "invalid_request_error",
  budget: "billing_error",
  too_large: "request_too_large",
  unreachable: "api_error",
};

const OPENAI_TYPES: Readonly<Record<RefusalKind, string>> = {
  denied: "permission_error",
  invalid: "invalid_request_error",
  budget: "insufficient_quota",
  too_large: "invalid_request_error",
  unreachable: "server_error",
};

const GEMINI_TYPES: Readonly<Record<RefusalKind, string>> = {
  denied: "PERMISSION_DENIED",
  invalid: "INVALID_ARGUMENT",
  budget: "RESOURCE_EXHAUSTED",
  too_large: "INVALID_ARGUMENT",
  unreachable: "UNAVAILABLE",
};

/** Answers in the shape in which the upstream's own clients expect errors. Returns the status. */
export function writeError(response: ServerResponse, api: UpstreamApi, kind: RefusalKind, message: string): number {
  const status = api === "anthropic" && kind === "budget" ? 402 : STATUS[kind];
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return status;
  }
  const body = JSON.stringify(shapeError(api, kind, status, message));
  response.writeHead(status, {
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(body),
    "X-Drydock-Proxy": "1",
    // The clients of OpenAI and Anthropic go by it.
    ...(kind === "unreachable" ? {} : { "X-Should-Retry": "false" }),
    // What is left of the request's body is not read.
    Connection: "close",
  });
  response.end(body);
  return status;
}

function shapeError(api: UpstreamApi, kind: RefusalKind, status: number, message: string): unknown {
  switch (api) {
    case "anthropic":
      return { type: "error", error: { type: ANTHROPIC_TYPES[kind], message } };
    case "openai":
      return { error: { message, type: OPENAI_TYPES[kind], param: null, code: OPENAI_TYPES[kind] } };
    case "gemini":
      return { error: { code: status, message, status: GEMINI_TYPES[kind] } };
    case "github":
      return { message, status: String(status) };
    case "other":
      return { error: { code: kind, message } };
    default:
      return api satisfies never;
  }
}
