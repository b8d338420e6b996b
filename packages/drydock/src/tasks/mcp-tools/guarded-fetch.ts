import { DrydockError, type McpServerSpec } from "@drydock/protocol";
import type { FetchLike } from "@modelcontextprotocol/client";
import type { ToolHost } from "./tool-host.ts";

const MAX_BYTES = 32 * 1024 * 1024;

/**
 * Requests to a server by its address. Each address is held against the policy, those that the server itself names
 * included; redirects are never followed unseen, and what comes back is bounded over the whole connection.
 */
export function createGuardedFetch(host: ToolHost, spec: McpServerSpec, signal: AbortSignal): FetchLike {
  let left = MAX_BYTES;
  const tooMuch = () =>
    new DrydockError(
      "limit.output",
      `The MCP server ${spec.name} sent more than ${MAX_BYTES} bytes.`,
      "Ask it for less at once.",
      { server: spec.name },
    );
  return async (url, init) => {
    const { protocol, hostname, port } = new URL(url);
    if (protocol !== "http:" && protocol !== "https:") {
      throw new DrydockError("policy.network_denied", `${protocol} addresses are not used.`, "Use http or https.");
    }
    await host.admitHost(hostname, port === "" ? (protocol === "https:" ? 443 : 80) : Number(port));
    const signals = init?.signal ? [init.signal, signal] : [signal];
    const response = await fetch(url, { ...init, redirect: "manual", signal: AbortSignal.any(signals) });
    if (!response.body) return response;
    const counted = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          left -= chunk.length;
          if (left < 0) controller.error(tooMuch());
          else controller.enqueue(chunk);
        },
      }),
    );
    const { status, statusText, headers } = response;
    return new Response(counted, { status, statusText, headers });
  };
}
