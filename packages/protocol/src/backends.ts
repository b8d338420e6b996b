/** Levels of containment, strongest first. A policy names the weakest that it accepts. */
export const SANDBOX_LEVELS = ["cgroups", "rlimits", "landlock"] as const;

interface BackendRow {
  /** The levels at which it can hold a run. None: it holds nothing. */
  levels: readonly (typeof SANDBOX_LEVELS)[number][];
  /** For the schema of `sandbox.backends`: what it means to name it. */
  meaning?: string;
  /** What a result says first about a run on it. */
  warning?: string;
}

/** Ways to isolate a run, by the names that policies and results use. `sandbox/backends/registry.ts` has how each is done. */
export const BACKENDS = {
  namespaces: { levels: ["cgroups", "rlimits", "landlock"] },
  podman: { levels: ["cgroups"], meaning: "in containers that podman makes" },
  docker: { levels: ["cgroups"], meaning: "in containers that docker makes" },
  gvisor: { levels: ["cgroups"], meaning: "in containers of gVisor, with a kernel of its own (runsc)" },
  unconfined: {
    levels: [],
    meaning: "without a sandbox, if a request asks for it",
    warning: "ran without a sandbox (unconfined)",
  },
} as const satisfies Record<string, BackendRow>;

export type BackendName = keyof typeof BACKENDS;
export const BACKEND_NAMES = Object.keys(BACKENDS) as [BackendName, ...BackendName[]];

export function describeBackend(name: BackendName): BackendRow {
  return BACKENDS[name];
}

/** In the place of an image: containers see the host's own system directories, read-only. */
export const HOST_IMAGE = "host";
