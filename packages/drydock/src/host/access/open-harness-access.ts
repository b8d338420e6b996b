import type { GatewayAccess } from "../gateway/create-gateway.ts";
import type { Harness, HarnessRequest, HostPorts } from "../ports.ts";
import type { HarnessAccess } from "./harness-api.ts";

type OfRun = Pick<HarnessRequest, "agent" | "eventId" | "event" | "conversation"> & { record: { id: string } };

/** At most one agent for a run. It ends with the run, whatever the runner does. */
export function openHarnessAccess(
  { openHarness }: Pick<HostPorts, "openHarness">,
  { record, agent, eventId, event, conversation }: OfRun,
  { signal, gateway }: { signal: AbortSignal; gateway(): GatewayAccess | null },
): HarnessAccess {
  let opening: Promise<Harness> | undefined;
  let opened: Harness | null = null;
  return {
    async open(after) {
      opening ??= openHarness({
        ...{ agent, runId: record.id, eventId, event, conversation, after, signal },
        gateway: gateway(),
      });
      try {
        opened = await opening;
        return opened;
      } catch (error) {
        opening = undefined;
        throw error;
      }
    },
    current: () => opened,
    async close() {
      const found = await opening?.catch(() => null);
      await found?.close().catch(() => {});
    },
  };
}
