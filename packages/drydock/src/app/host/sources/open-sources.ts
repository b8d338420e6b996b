import { loadLater } from "../../../base/lazy/index.ts";
import type { LiveSources, SourcesPorts } from "./create-sources.ts";
import type { HostSources } from "./host-sources.ts";

/** The sources, whose code is loaded with their first use. `close` ends what was opened. */
export function openSources(ports: SourcesPorts): { sources: HostSources; close(): Promise<void> } {
  let opened: Promise<LiveSources> | undefined;
  const later = loadLater(() => {
    opened = loadSources(ports);
    return opened;
  });
  return {
    sources: {
      types: later((sources) => sources.types),
      add: later((sources) => sources.add),
      find: later((sources) => sources.find),
      list: later((sources) => sources.list),
      change: later((sources) => sources.change),
      remove: later((sources) => sources.remove),
      test: later((sources) => sources.test),
      serve: later((sources) => sources.serve),
    },
    close: async () => (await opened?.catch(() => undefined))?.close(),
  };
}

async function loadSources(ports: SourcesPorts): Promise<LiveSources> {
  return (await import("./create-sources.ts")).createSources(ports);
}
