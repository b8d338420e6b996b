import type { Track } from "../runs/track-calls.ts";
import type { PythonTaskPorts } from "../tasks/index.ts";
import type { LiveModels } from "./api.ts";

interface ModelPorts {
  home: string;
  environment: Readonly<Record<string, string | undefined>>;
}

/** Loaded with the first request: most docks have none. */
export function createModels(ports: PythonTaskPorts, track: Track, { home, environment }: ModelPorts): LiveModels {
  const chat: LiveModels["chat"] = (options) =>
    track(options.signal, async (signal) => (await import("../tasks/index.ts")).chat(ports, { ...options, signal }));
  return {
    name: async (model) => nameModel((await ports.readModelSettings(model)).spec),
    chat,
    list: async () => (await import("./list-models.ts")).listModels({ home, environment }),
    add: async (options) => (await import("./add-model.ts")).addModel(home, options),
    remove: async (model) => (await import("./remove-model.ts")).removeModel(home, model),
    test: async (options = {}) => (await import("./test-model.ts")).testModel({ ...ports, chat }, options),
  };
}

function nameModel(spec: readonly string[] | null): string | null {
  if (spec === null) return null;
  // The path of a script is the host's own affair.
  return spec.map((each) => each.replace(/^scripted:.*$/s, "scripted")).join(",");
}
