import type { RunContext } from "@drydock/protocol/runner";
import type { CallHost } from "../access/create-api.ts";
import type { RunRecord } from "../ports.ts";
import type { Gateway, GatewayAccess } from "./create-gateway.ts";
import { writeHarnessFiles } from "./write-harness-files.ts";

/** How somebody outside takes part in a run. */
export interface GatewayOptions {
  /** A directory that gets `agent-context.json`, `AGENT_CONTEXT.md` and `.mcp.json` for as long as the run lasts. */
  directory?: string;
  onOpen?(access: GatewayAccess): void;
}

/** Whoever goes on asking without the token does not fill the record. */
const RECORDED_REFUSALS = 100;

export interface Projection {
  gateway: Gateway;
  options: GatewayOptions;
}

/** Opens the gateway for a run, and writes what a harness needs. All of it is gone when it is closed. */
export async function projectRun(
  { gateway, options: { directory, onOpen } }: Projection,
  { record, context, call }: { record: RunRecord; context: RunContext; call: CallHost },
): Promise<{ access: GatewayAccess; close(): Promise<void> }> {
  let refusals = 0;
  const onRefused = (reason: string) => {
    if (++refusals > RECORDED_REFUSALS) return;
    const data = { method: "gateway", resource: null, via: "gateway", ok: false, code: "unauthorized", reason };
    void record.append("host.called", data).catch(() => {});
  };
  const { close, ...access } = await gateway.open({ runId: record.id, context, call, onRefused });
  try {
    const remove = directory === undefined ? async () => {} : await writeHarnessFiles(directory, context, access);
    onOpen?.(access);
    return {
      access,
      async close() {
        await close();
        await remove();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}
