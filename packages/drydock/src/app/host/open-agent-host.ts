import { loadLater } from "../../base/lazy/index.ts";
import type { RunnerFact, RunnerReplay } from "../../host/index.ts";
import type { Ledger } from "../../ledger/index.ts";
import type { HostActions } from "../extensions/api.ts";
import { createActionRegistry } from "./actions/action-registry.ts";
import { openExpiryTimer } from "./actions/expiry-timer.ts";
import type { AgentHost } from "./api.ts";
import type { AgentHostPorts, OpenAgentHost } from "./create-agent-host.ts";
import { openSources } from "./sources/open-sources.ts";

export interface LiveAgentHost extends AgentHost {
  /** For other use cases only. */
  readonly hostActions: HostActions;
  /** The same. */
  replayRunner(request: ReplayRunnerRequest): Promise<{ facts: RunnerFact[]; plugin: string }>;
  close(): Promise<void>;
}

export interface ReplayRunnerRequest
  extends Pick<RunnerReplay, "runnerId" | "context" | "expectsReply" | "answer" | "signal"> {
  /** Whether its process may reach the hosts that its plugin asks for. */
  network: boolean;
}

/** The host, whose code is loaded with its first use. Where that fails, the next call tries again. `close` ends what was opened. */
export function openAgentHost(ports: Omit<AgentHostPorts, "registry" | "onWaiting">): LiveAgentHost {
  const registry = createActionRegistry();
  const { ledger, extensions } = ports;
  const expiries = openExpiryTimer({ ledger, expire: (id) => extensions.approvals.get(id), now: Date.now });
  let opened: Promise<OpenAgentHost> | undefined;
  const open = () => {
    opened ??= loadAgentHost({ ...ports, registry, onWaiting: expiries.look }).catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  const later = loadLater(open);
  const sources = openSources({
    ...{ ...ports, registry },
    send: async (event, options) => (await open()).send(event, options),
  });
  return {
    plugins: {
      check: later((host) => host.plugins.check),
      scaffold: later((host) => host.plugins.scaffold),
      develop: later((host) => host.plugins.develop),
      pack: later((host) => host.plugins.pack),
      add: later((host) => host.plugins.add),
      list: later((host) => host.plugins.list),
      remove: later((host) => host.plugins.remove),
      log: later((host) => host.plugins.log),
      runners: later((host) => host.plugins.runners),
    },
    agents: openAgentsLater(later),
    sources: sources.sources,
    actions: { register: registry.register, list: registry.list },
    surfaces: { register: registry.registerSurface },
    hostActions: {
      prepare: later(({ hostActions }) => hostActions.prepare),
      isExpired: later(({ hostActions }) => hostActions.isExpired),
      onDenied: later(({ hostActions }) => hostActions.onDenied),
    },
    files: { add: later((host) => host.files.add), remove: later((host) => host.files.remove) },
    choices: later((host) => host.choices),
    send: later((host) => host.send),
    // The host's code is loaded only where there is something for it to do.
    resume: async () => ((await hasLeftMessages(ledger)) ? (await open()).resume() : 0),
    route: later((host) => host.route),
    events: {
      get: later((host) => host.events.get),
      list: later((host) => host.events.list),
    },
    conversations: {
      list: later((host) => host.conversations.list),
      get: later((host) => host.conversations.get),
      messages: later((host) => host.conversations.messages),
      feed: later((host) => host.conversations.feed),
      latest: later((host) => host.conversations.latest),
      async *follow(id, options) {
        yield* (await open()).conversations.follow(id, options);
      },
      idOf: later((host) => host.conversations.idOf),
      delete: later((host) => host.conversations.delete),
    },
    runs: {
      create: later((host) => host.runs.create),
      get: later((host) => host.runs.get),
      list: later((host) => host.runs.list),
      events: later((host) => host.runs.events),
      cancel: later((host) => host.runs.cancel),
      append: later((host) => host.runs.append),
      finalize: later((host) => host.runs.finalize),
    },
    status: later((host) => host.status),
    warnings: later((host) => host.warnings),
    replayRunner: later((host) => host.replayRunner),
    async close() {
      await expiries.close();
      await sources.close();
      await (await opened?.catch(() => undefined))?.close();
    },
  };
}

function openAgentsLater(later: ReturnType<typeof loadLater<OpenAgentHost>>): AgentHost["agents"] {
  return {
    add: later((host) => host.agents.add),
    find: later((host) => host.agents.find),
    list: later((host) => host.agents.list),
    change: later((host) => host.agents.change),
    remove: later((host) => host.agents.remove),
    harness: later((host) => host.agents.harness),
    enable: later((host) => host.agents.enable),
    disable: later((host) => host.agents.disable),
    bind: later((host) => host.agents.bind),
    rebind: later((host) => host.agents.rebind),
    unbind: later((host) => host.agents.unbind),
    bindings: later((host) => host.agents.bindings),
  };
}

async function loadAgentHost(ports: AgentHostPorts): Promise<OpenAgentHost> {
  const { createAgentHost } = await import("./create-agent-host.ts");
  return createAgentHost(ports);
}

async function hasLeftMessages(ledger: Pick<Ledger, "recover" | "openHost">): Promise<boolean> {
  await ledger.recover();
  return (await ledger.openHost()).events.hasLeftSteering();
}
