import { DrydockError } from "@drydock/protocol";
import type { AgentHooks } from "./agent.ts";

type Hooks = AgentHooks<unknown, unknown>;

const NAMES = ["beforeGenerate", "afterGenerate", "afterExecute", "afterTool", "afterCall"] as const;

/** Errors of a hook are reported with the name of the hook. */
export function protectHooks(agent: string, hooks: Hooks): Hooks {
  const wrapped = NAMES.flatMap((name) => {
    const hook = hooks[name] as ((event: unknown) => unknown) | undefined;
    return hook ? [[name, (event: unknown) => callHook(agent, name, () => hook.call(hooks, event))]] : [];
  });
  return Object.fromEntries(wrapped) as Hooks;
}

async function callHook(agent: string, name: string, act: () => unknown): Promise<unknown> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof DrydockError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    const hint = "The hook is your own code: fix it.";
    throw new DrydockError(
      "input.invalid",
      `agent ${agent}: the hook ${name} threw: ${reason}`,
      hint,
      { agent, hook: name },
      error,
    );
  }
}
