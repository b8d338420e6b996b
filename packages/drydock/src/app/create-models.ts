import type { Models } from "./api/models.ts";
import type { PythonTaskPorts } from "./python-tasks.ts";

/** Loaded with the first question: most docks are asked none. */
export function createModels(
  ports: PythonTaskPorts,
  track: <T>(signal: AbortSignal | undefined, act: (signal: AbortSignal) => Promise<T>) => Promise<T>,
): Models {
  return {
    name: async (model) => nameModel((await ports.readModelSettings(model)).spec),
    chat: (options) =>
      track(options.signal, async (signal) => (await import("./chat.ts")).chat(ports, { ...options, signal })),
  };
}

function nameModel(spec: readonly string[] | null): string | null {
  if (spec === null) return null;
  // The path of a script is the host's own affair.
  return spec.map((each) => each.replace(/^scripted:.*$/s, "scripted")).join(",");
}
