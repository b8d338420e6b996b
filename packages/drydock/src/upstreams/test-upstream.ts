import type { TestedUpstream } from "@drydock/protocol";
import type { Sender } from "./send-request.ts";
import { type Upstream, writeCredential } from "./upstream.ts";

const TEST_MS = 30_000;

/** Asks with the key, from outside. `path` is as runs write it. */
export async function testUpstream(
  upstream: Upstream,
  sender: Sender,
  path: string,
  signal?: AbortSignal,
): Promise<TestedUpstream> {
  const { name, baseUrl, prefix, header, proxy } = upstream;
  const { origin, pathname } = new URL(baseUrl);
  const credential = writeCredential(upstream);
  const headers = {
    accept: "application/json",
    "user-agent": "drydock",
    ...(upstream.api === "anthropic" && { "anthropic-version": "2023-06-01" }),
    ...(credential !== null && { [header.toLowerCase()]: credential }),
  };
  const started = performance.now();
  const durationMs = () => Math.round(performance.now() - started);
  const limits = [AbortSignal.timeout(TEST_MS), ...(signal ? [signal] : [])];
  try {
    const url = { origin, path: `${pathname === "/" ? "" : pathname}${path.slice(prefix.length)}` || "/" };
    const request = { url, method: "GET", headers, body: null, proxy, signal: AbortSignal.any(limits) };
    const { statusCode: status, body } = await sender.send(request);
    await body.dump();
    return { name, ok: status < 300, status, durationMs: durationMs(), problem: explainStatus(upstream, status) };
  } catch (error) {
    const reason = error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? error.message) : String(error);
    const problem = `${origin} can't be reached: ${reason}`;
    return { name, ok: false, status: null, durationMs: durationMs(), problem };
  }
}

function explainStatus({ keySource }: Upstream, status: number): string | null {
  if (status < 300) return null;
  if (status < 400) return `it answers with a redirection (${status}), which is not followed: correct baseUrl`;
  if (status === 401 || status === 403) {
    return keySource === null
      ? `it wants a key (${status}), and none is configured`
      : `it refuses the key from ${keySource} (${status})`;
  }
  return `it answers with status ${status}`;
}
