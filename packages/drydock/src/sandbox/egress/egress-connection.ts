import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { ResolveHost } from "./decide-target.ts";
import type { AdmittedRun } from "./egress-run.ts";
import { forwardRequest } from "./forward-request.ts";
import type { EgressLimits } from "./limits.ts";
import { serveTunnel } from "./serve-tunnel.ts";

/** One connection from a run, after its opening line: it waits for a head, serves requests in turn, or is a tunnel. */
export interface EgressConnection {
  onRequest: (request: IncomingMessage, response: ServerResponse) => void;
  onConnect: (authority: string, head: Buffer) => void;
}

export function createEgressConnection(
  client: Duplex,
  admitted: AdmittedRun,
  limits: EgressLimits,
  resolveHost: ResolveHost,
): EgressConnection {
  const opening = { admitted, resolveHost, dialMs: limits.dialMs };
  let pending = 0;
  let turn: Promise<void> = Promise.resolve();
  let headDeadline = armHeadDeadline();
  client.once("close", () => clearTimeout(headDeadline));

  /** node:http checks its own `headersTimeout` only on servers that listen, and this one is handed its sockets. */
  function armHeadDeadline(): NodeJS.Timeout {
    return setTimeout(() => client.destroy(), limits.headersMs);
  }

  return {
    onRequest(request, response) {
      clearTimeout(headDeadline);
      pending += 1;
      if (pending > limits.pipelinedRequests) {
        client.destroy();
        return;
      }
      response.once("close", () => {
        pending -= 1;
        if (pending === 0 && !client.destroyed) headDeadline = armHeadDeadline();
      });
      // In turn, so that requests sent ahead can't open more connections to hosts than the run has connections here.
      turn = turn.then(() => forwardRequest(request, response, opening)).catch(() => void client.destroy());
    },
    onConnect(authority, head) {
      clearTimeout(headDeadline);
      // Answers still owed on this connection would end up between the tunnel's bytes.
      if (pending > 0) client.destroy();
      else void serveTunnel(client, head, { ...opening, authority }).catch(() => void client.destroy());
    },
  };
}
