import type { Ledger } from "../open-ledger.ts";

export interface CapabilityCall {
  extension?: string;
  command?: string;
  action?: string;
  user?: string;
  session?: string;
}

/** A run of an extension's action that is under way. */
export async function beginCapabilityRun(ledger: Ledger, call: CapabilityCall = {}): Promise<string> {
  const capability = {
    ...{ extension: "curl", version: "1.0.0", command: "curl", action: "get", values: {}, risk: "low" },
    ...{ user: "owner", session: "default" },
    ...call,
  };
  const { id } = await ledger.createRun({
    kind: "capability",
    title: `/${capability.command} ${capability.action}`,
    data: { policy: { version: 1 }, capability },
  });
  return id;
}

/** One that has answered. */
export async function addResponse(
  ledger: Ledger,
  content: string | Uint8Array,
  options: CapabilityCall & { mime?: string; metadata?: Record<string, unknown>; keepMs?: number } = {},
) {
  const { mime = "text/plain", metadata, keepMs, ...call } = options;
  const runId = await beginCapabilityRun(ledger, call);
  const staged = await ledger.responses.stage({
    ...{ runId, session: call.session ?? "default", extension: "curl", command: "curl", action: "get" },
    ...{ content: typeof content === "string" ? Buffer.from(content) : content, mime, metadata, keepMs },
  });
  await ledger.finish(runId, { type: "run.succeeded", data: { durationMs: 5 } }, [staged.event], [staged]);
  return staged.info;
}
