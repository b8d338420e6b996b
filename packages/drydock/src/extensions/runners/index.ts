import { BUILT_IN_RUNNERS, DrydockError } from "@drydock/protocol";
import type { CapabilityRunner } from "../ports.ts";
import { findRunnerKind } from "../runner-kinds.ts";

/** Who does what actions declare. Those that come with Drydock are loaded when they are first used. */
export interface RunnerTable {
  /** Rejects with `extension.invalid` where there is none of that name. */
  find(name: string): Promise<CapabilityRunner>;
  /** The name has been checked: it is none of Drydock's. */
  register(name: string, runner: CapabilityRunner): void;
}

export function createRunnerTable(): RunnerTable {
  const registered = new Map<string, CapabilityRunner>();
  return {
    async find(name) {
      const runner = (await findRunnerKind(name)?.load()) ?? registered.get(name);
      if (runner) return runner;
      throw new DrydockError(
        "extension.invalid",
        `There is no runner ${name}.`,
        `The program that opens the dock has to register it: \`dock.extensions.registerRunner("${name}", …)\`. ` +
          `Those that come with Drydock are ${BUILT_IN_RUNNERS.join(", ")}.`,
        { runner: name },
      );
    },
    register: (name, runner) => void registered.set(name, runner),
  };
}
