import { DrydockError, type EffectivePolicy } from "@drydock/protocol";
import type { Confinement } from "../../members/spawn-fork-server.ts";
import type { Shelf } from "../../resolve-shelves.ts";

/** Refuses what can't be provided without namespaces, rather than leaving it out. */
export function checkBareRun(confinement: Confinement, policy: EffectivePolicy, shelves: readonly Shelf[]): void {
  const [shelf] = shelves;
  if (shelf) throw shelfDenied(confinement, shelf);
  if (confinement === "none" || policy.network.allow.length === 0) return;
  throw new DrydockError(
    "sandbox.level",
    'The run wants the network, and at the level "landlock", which is all that this machine gives, there is none.',
    "Run it without the network, or where namespaces can be made: `drydock doctor` says what is missing.",
    { wanted: "rlimits", reached: "landlock" },
  );
}

function shelfDenied(confinement: Confinement, { source, target }: Shelf): DrydockError {
  const landlock = confinement === "landlock";
  return new DrydockError(
    "sandbox.level",
    landlock
      ? `The run wants ${source} at ${target}, and at the level "landlock", which is all that this machine gives, nothing can be mounted.`
      : `The run wants ${source} at ${target}, and without a sandbox nothing can be mounted.`,
    landlock
      ? "Run it where namespaces can be made: `drydock doctor` says what is missing."
      : "Run it in the sandbox (without `unconfined`).",
    { wanted: "rlimits", reached: landlock ? "landlock" : "none" },
  );
}
