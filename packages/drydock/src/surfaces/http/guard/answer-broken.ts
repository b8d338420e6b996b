import { type Server, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { HttpLimits } from "../options.ts";

/** An invalid request never reaches a route: it gets an error in the usual format, and the connection closes. */
export function answerBroken(http: Server, limits: Pick<HttpLimits, "headersMs" | "requestMs">): void {
  http.on("clientError", (error: NodeJS.ErrnoException, stream) => {
    const socket = stream as Socket & { _httpMessage?: { headersSent: boolean } };
    // Somebody who has gone, or has been answered already, is not spoken to.
    if (error.code === "ECONNRESET" || !socket.writable || socket._httpMessage?.headersSent) {
      socket.destroy();
      return;
    }
    const { status, message, hint } = describe(error.code, limits);
    const body = JSON.stringify({ error: { code: "input.invalid", message, hint } });
    socket.end(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  });
}

function describe(code: string | undefined, { headersMs, requestMs }: Pick<HttpLimits, "headersMs" | "requestMs">) {
  switch (code) {
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return {
        status: 408,
        message: `The request did not arrive in time: its headers within ${headersMs / 1000} s, all of it within ${requestMs / 1000} s.`,
        hint: "Send the whole request at once, on a new connection.",
      };
    case "HPE_HEADER_OVERFLOW":
      return { status: 431, message: "The request's headers are too large.", hint: "Send what is long in the body." };
    default:
      return { status: 400, message: "This is not an HTTP request.", hint: "Use HTTP/1.1 without TLS." };
  }
}
