import { DrydockError } from "@drydock/protocol";
import type { CapabilityRunner } from "../ports.ts";

/** Who does what actions declare. Those that come with Drydock are loaded when they are first used. */
export interface RunnerTable {
  /** Rejects with `extension.invalid` where there is none of that name. */
  find(name: string): Promise<CapabilityRunner>;
  isBuiltIn(name: string): boolean;
  /** The name has been checked: it is none of Drydock's. */
  register(name: string, runner: CapabilityRunner): void;
}

const BUILT_IN: Readonly<Record<string, () => Promise<CapabilityRunner>>> = {
  "api.call": async () => (await import("./api-call.ts")).apiCall,
  "python.script": async () => (await import("./script.ts")).pythonScript,
  "browser.navigate": async () => (await import("./browser/navigate.ts")).navigate,
  "analyze.response": async () => (await import("./analyze/index.ts")).analyzeResponse,
  "analyze.schema": async () => (await import("./analyze/index.ts")).analyzeSchema,
  "node.script": async () => (await import("./script.ts")).nodeScript,
};

export function createRunnerTable(): RunnerTable {
  const registered = new Map<string, CapabilityRunner>();
  const builtIn = (name: string) =>
    name.startsWith("exec.")
      ? async () => (await import("./exec-tool.ts")).execTool
      : Object.hasOwn(BUILT_IN, name)
        ? BUILT_IN[name]
        : undefined;
  return {
    async find(name) {
      const load = builtIn(name);
      if (load) return load();
      const own = registered.get(name);
      if (own) return own;
      throw new DrydockError(
        "extension.invalid",
        `There is no runner ${name}.`,
        `The program that opens the dock has to register it: \`dock.extensions.registerRunner("${name}", …)\`. ` +
          `Those that come with Drydock are exec.TOOL, ${Object.keys(BUILT_IN).join(", ")}.`,
        { runner: name },
      );
    },
    isBuiltIn: (name) => builtIn(name) !== undefined,
    register: (name, runner) => void registered.set(name, runner),
  };
}
