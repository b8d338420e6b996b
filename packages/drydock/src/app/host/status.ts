import type { HostStatus, PluginInfo } from "@drydock/protocol";
import type { Host } from "../../host/index.ts";
import type { HostStore, Ledger } from "../../ledger/index.ts";
import type { InstalledPlugin } from "./api.ts";

export interface StatusPorts {
  facts: HostStore;
  ledger: Pick<Ledger, "listRuns" | "recover">;
  host: Pick<Host, "status" | "warnings">;
  plugins(): Promise<InstalledPlugin[]>;
}

const MAX_RUNNING = 100;
const SHOWN_WARNINGS = 20;

/** How the host stands: what is on record, and the processes that this process has started. */
export async function readHostStatus({ facts, ledger, host, plugins }: StatusPorts): Promise<HostStatus> {
  await ledger.recover();
  const { runs } = await ledger.listRuns({ kind: "runner", status: "running", limit: MAX_RUNNING });
  const processes = host.status();
  return {
    agents: (await facts.agents.list()).length,
    bindings: (await facts.agents.bindings()).length,
    conversations: await facts.conversations.count(),
    unhandled: await facts.events.countUnhandled(),
    running: runs.map(({ id }) => id),
    warnings: await host.warnings(SHOWN_WARNINGS),
    plugins: (await plugins()).map((plugin) => describePlugin(plugin, processes)),
  };
}

function describePlugin(plugin: InstalledPlugin, processes: ReturnType<Host["status"]>): PluginInfo {
  const { id, version, description = null, origin, runtime, problem, sandbox } = plugin;
  const process = processes.find((each) => each.plugin === id) ?? null;
  const { hosts, environment } = sandbox;
  return { id, version, description, origin, runtime, hosts, environment, problem, process };
}
