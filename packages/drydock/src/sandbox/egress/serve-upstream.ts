import type { IncomingMessage, ServerResponse } from "node:http";
import type { AdmittedRun } from "./egress-run.ts";
import { sendAnswer } from "./send-answer.ts";

/** Where programs inside find the way out. Those that take no proxy ask there for `/NAME.dock/…`. */
export const WAY_OUT = "127.0.0.1:3128";

const BY_HOST = /^http:\/\/([^/?#\\@]*)\.dock(?::80)?([/?].*)?$/is;
const BY_PATH = new RegExp(`^(?:http://${WAY_OUT.replaceAll(".", "\\.")})?/([^/?#\\\\]*)\\.dock([/?].*)?$`, "is");
const NAME = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/;

export interface NamedUpstream {
  name: string;
  /** As the run sent it, with its query. */
  path: string;
}

/**
 * Reads `http://NAME.dock/…` and `/NAME.dock/…`; null for what names no upstream. Only the request line counts, never a
 * Host header.
 */
export function findUpstream(url: string): NamedUpstream | null {
  const [, label = "", rest = "/"] = BY_HOST.exec(url) ?? BY_PATH.exec(url) ?? [];
  const name = label.toLowerCase();
  if (!NAME.test(name)) return null;
  return { name, path: rest.startsWith("/") ? rest : `/${rest}` };
}

/** An upstream that the run does not have is refused like a host that its policy does not allow. */
export async function serveUpstream(
  request: IncomingMessage,
  response: ServerResponse,
  { name, path }: NamedUpstream,
  { run: { upstreams }, signal, refuse }: AdmittedRun,
): Promise<void> {
  if (upstreams?.has(name)) {
    await upstreams.serve(name, path, request, response, signal);
    return;
  }
  const host = `${name}.dock`;
  refuse(host, 80, "the run's policy does not name this upstream");
  sendAnswer(response, {
    status: 403,
    headers: { "X-Drydock-Refused": `${host}:80` },
    body:
      `Drydock refused the request to ${host}: this run has no upstream ${name}.\n` +
      `Ask for it with --upstream ${name} (network.upstreams), as far as the owner's policy allows it.\n`,
  });
}
