import type { RunnerDiscovery } from "@drydock/protocol/runner";
import type { Plugin } from "../plugins/plugin.ts";
import type { Supervisor } from "./supervisor.ts";

export interface ListedRunners {
  runners: RunnerDiscovery[];
  warnings: string[];
}

/** A plugin that failed before may have to wait for seconds: the others do not wait for it. */
const AT_ONCE = 4;

/** Starts the plugins that have no process, and asks all of them, in their order. */
export async function listRunners(
  plugins: readonly Plugin[],
  { acquire }: Pick<Supervisor, "acquire">,
): Promise<ListedRunners> {
  const todo = plugins.entries();
  const answers: ListedRunners[] = [];
  const work = async () => {
    for (const [index, plugin] of todo) answers[index] = await ask(plugin, acquire);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return {
    runners: answers.flatMap(({ runners }) => runners),
    warnings: answers.flatMap(({ warnings }) => warnings),
  };
}

async function ask(plugin: Plugin, acquire: Supervisor["acquire"]): Promise<ListedRunners> {
  try {
    const { process, release } = await acquire(plugin);
    release();
    return { runners: [...process.runners], warnings: [...process.warnings] };
  } catch (error) {
    // One plugin that does not work never hides another.
    return { runners: [], warnings: [error instanceof Error ? error.message : String(error)] };
  }
}
