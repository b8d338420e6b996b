import { DrydockError, type SourceTest } from "@drydock/protocol";
import type { StoredSource } from "../../ledger/index.ts";
import { SourceRefused, type SourceType } from "./adapter.ts";
import { emitEvent } from "./emit-event.ts";
import type { SourcePorts } from "./ports.ts";
import { readSettings } from "./read-settings.ts";
import { readSecrets } from "./supervise-source.ts";

/** Has a source tried out, beside one that may run here or elsewhere. */
export async function testSource({
  stored,
  type,
  signal,
  ...ports
}: SourcePorts & { stored: StoredSource; type: SourceType; signal: AbortSignal }): Promise<SourceTest> {
  const { name } = stored.source;
  try {
    const program = await type.load();
    const detail = await program.test({
      ...{ name, signal, now: ports.now, values: ports.store.values(stored.id) },
      settings: readSettings(type, stored.source.settings),
      changedAtMs: Date.parse(stored.changedAt),
      secrets: await readSecrets(ports, stored, type),
      emit: (event) =>
        emitEvent(
          {
            ...{ ports, stored, type, stopping: signal },
            tally: { countEvent: () => {}, countOutcome: () => {} },
            openStream: () => null,
            deliver: async () => {},
            showWork: () => {},
          },
          event,
        ),
      refuse: () => {},
      report: () => {},
      run: (work) => void work().catch(() => {}),
    });
    return { name, ok: true, detail, hint: null };
  } catch (error) {
    if (!(error instanceof DrydockError || error instanceof SourceRefused))
      return { name, ok: false, detail: error instanceof Error ? error.message : String(error), hint: null };
    return { name, ok: false, detail: error.message, hint: error.hint };
  }
}
