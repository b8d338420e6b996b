import { request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { pipeline } from "node:stream";
import { endToEndHeaders } from "./end-to-end-headers.ts";
import { openTarget, plainAnswer, type TargetOpening } from "./open-target.ts";
import { type EgressTarget, formatTarget } from "./parse-target.ts";
import { sendAnswer } from "./send-answer.ts";
import { findUpstream, serveUpstream } from "./serve-upstream.ts";

const ABSOLUTE_FORM = /^http:\/\/([^/?#\\]*)([/?][^#]*)?$/i;
const HTTP_PORT = 80;

/** `GET http://host:port/path`: one exchange with the host of the request line, over a connection of its own. */
export async function forwardRequest(
  request: IncomingMessage,
  response: ServerResponse,
  opening: Omit<TargetOpening, "authority" | "defaultPort">,
): Promise<void> {
  const named = findUpstream(request.url ?? "");
  if (named !== null) {
    await serveUpstream(request, response, named, opening.admitted);
    return;
  }
  const form = ABSOLUTE_FORM.exec(request.url ?? "");
  if (form === null) {
    const text = "This is Drydock's proxy: it takes `CONNECT host:port` and `GET http://host:port/path`, nothing else.";
    sendAnswer(response, plainAnswer(400, text).answer);
    return;
  }
  const [, authority = "", rest = "/"] = form;
  const opened = await openTarget({ ...opening, authority, defaultPort: HTTP_PORT });
  if (opened.kind === "answer") {
    sendAnswer(response, opened.answer);
    return;
  }
  const { target, upstream } = opened;
  if (response.destroyed) {
    upstream.destroy();
    return;
  }
  const path = rest.startsWith("/") ? rest : `/${rest}`;
  await exchange(request, response, target, path, upstream);
  upstream.destroy();
}

function exchange(
  request: IncomingMessage,
  response: ServerResponse,
  target: EgressTarget,
  path: string,
  upstream: Socket,
): Promise<void> {
  return new Promise((resolve) => {
    response.once("close", resolve);
    const outgoing = httpRequest({
      createConnection: () => upstream,
      method: request.method ?? "GET",
      path,
      headers: outgoingHeaders(request, target),
    });
    outgoing.on("response", (incoming) => {
      response.sendDate = false;
      response.writeHead(incoming.statusCode ?? 502, incoming.statusMessage, endToEndHeaders(incoming.rawHeaders));
      // A body that breaks off must not look complete: pipeline destroys the response, and with it the connection.
      pipeline(incoming, response, () => {});
    });
    outgoing.on("error", (error: NodeJS.ErrnoException) => {
      if (response.headersSent) response.destroy();
      else
        sendAnswer(response, plainAnswer(502, `The host closed the connection: ${error.code ?? error.message}`).answer);
    });
    // An answer may come before the request's body is read to its end; the answer then decides what happens.
    pipeline(request, outgoing, () => {});
  });
}

/** The framing is stated anew from what the parser understood, and the host from the request line. */
function outgoingHeaders(request: IncomingMessage, { host, port }: EgressTarget): string[] {
  const headers = [
    "Host",
    port === HTTP_PORT ? formatTarget(host, port).replace(/:80$/, "") : formatTarget(host, port),
  ];
  headers.push(...endToEndHeaders(request.rawHeaders, ["host", "content-length", "expect"]));
  const length = request.headers["content-length"];
  if (request.headers["transfer-encoding"] !== undefined) headers.push("Transfer-Encoding", "chunked");
  else if (length !== undefined) headers.push("Content-Length", length);
  headers.push("Connection", "close");
  return headers;
}
