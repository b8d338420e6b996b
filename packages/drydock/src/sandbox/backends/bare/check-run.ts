import { DrydockError, type EffectivePolicy } from "@drydock/protocol";
import type { Confinement } from "../../members/spawn-fork-server.ts";
import type { Mount } from "../../resolve-mounts.ts";

/** Refuses what can't be provided without namespaces, rather than leaving it out. */
export function checkBareRun(confinement: Confinement, policy: EffectivePolicy, mounts: readonly Mount[]): void {
  const [mount] = mounts;
  if (mount) throw mountDenied(confinement, mount);
  if (confinement === "none" && policy.network.upstreams.length > 0) throw upstreamsDenied();
  if (confinement === "none" || policy.network.allow.length + policy.network.upstreams.length === 0) return;
  throw new DrydockError(
    "sandbox.level",
    'The run needs network access. The sandbox level "landlock", the only one that this machine provides, has none.',
    "Run it without network access, or on a machine with user namespaces: `drydock doctor` says what is missing.",
    { wanted: "rlimits", reached: "landlock" },
  );
}

function upstreamsDenied(): DrydockError {
  return new DrydockError(
    "sandbox.level",
    "The run needs upstreams. Without a sandbox, code could read their keys.",
    "Run it in the sandbox (without `unconfined`), or without upstreams.",
    { wanted: "rlimits", reached: "none" },
  );
}

function mountDenied(confinement: Confinement, { source, target }: Mount): DrydockError {
  const landlock = confinement === "landlock";
  return new DrydockError(
    "sandbox.level",
    landlock
      ? `The run needs ${source} mounted at ${target}. The sandbox level "landlock", the only one that this machine provides, can't mount anything.`
      : `The run needs ${source} mounted at ${target}. Without a sandbox, nothing can be mounted.`,
    landlock
      ? "Run it on a machine with user namespaces: `drydock doctor` says what is missing."
      : "Run it in the sandbox (without `unconfined`).",
    { wanted: "rlimits", reached: landlock ? "landlock" : "none" },
  );
}
