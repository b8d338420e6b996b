import { afterEach } from "vitest";
import type { Plugin } from "../plugins/plugin.ts";
import type { PluginProcess } from "../processes/plugin-process.ts";
import { createSupervisor, type Supervisor, type SupervisorOptions } from "../processes/supervisor.ts";
import { childLink } from "./child-link.ts";

/** Supervisors of real processes, which are closed after each test. */
export function openSupervision() {
  let open: Supervisor[] = [];
  afterEach(async () => {
    await Promise.all(open.map((each) => each.close()));
    open = [];
  });

  function plugin(name: string, fingerprint = "1"): Plugin {
    const sandbox = { hosts: [], environment: [] };
    return {
      ...{ id: `drydock-test/${name}`, author: "drydock-test", name, version: "1.0.0", directory: "/", command: [] },
      ...{ sandbox, fingerprint },
    };
  }

  /** Supervises real processes; `start` says how a plugin begins, `now` is the clock of delays and of idleness. */
  function supervise(options: Partial<SupervisorOptions> & { start?: (name: string) => string | undefined } = {}) {
    const warnings: string[] = [];
    const pids: number[] = [];
    const current = new Map<string, Plugin>();
    const supervisor = createSupervisor({
      ...{ version: "0", heartbeatMs: 60_000 },
      openLink: ({ name }) => childLink(name, options.start?.(name), (pid) => pids.push(pid)),
      findPlugin: async (id) => current.get(id) ?? null,
      onWarning: ({ text }) => warnings.push(text),
      ...options,
    });
    open.push(supervisor);
    const lease = (one: Plugin) => {
      current.set(one.id, one);
      return supervisor.acquire(one);
    };
    /** For a run that begins at once. */
    const acquire = async (one: Plugin) => {
      const { process, release } = await lease(one);
      release();
      return process;
    };
    return { supervisor, warnings, pids, current, acquire, lease };
  }

  let runs = 0;
  function run(
    process: PluginProcess,
    text: string,
    signal = new AbortController().signal,
    over?: AbortSignal,
  ): Promise<void> {
    const runId = `run_${runs++}`;
    const { manifest, runner_name } = process.runners[0] ?? { manifest: { id: "" }, runner_name: "" };
    const context = { run_id: runId, input: { text, contents: [], attachments: [] } } as never;
    return process.run({
      ...{ runId, runnerId: manifest.id, runnerName: runner_name, context, signal, over },
      onResult: () => {},
      onCall: async () => ({}),
      onRefused: async () => {},
    });
  }

  return { supervise, plugin, run };
}

export const isAlive = (pid: number | undefined) => {
  try {
    return process.kill(pid ?? 0, 0);
  } catch {
    return false;
  }
};
