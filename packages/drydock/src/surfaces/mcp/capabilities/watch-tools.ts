import type { CapabilityTool } from "@drydock/protocol";

export interface ToolWatch {
  /** What there is now; the same array as long as nothing changed. */
  current(): Promise<readonly CapabilityTool[]>;
  /** Calls back after each change, by whichever process it was made. Gives back how to stop that. */
  subscribe(listener: (tools: readonly CapabilityTool[]) => void): () => void;
}

const INTERVAL_MS = 1000;

/** Extensions are installed, enabled and disabled by other processes, too: it is looked for, while somebody listens. */
export function watchTools(list: () => Promise<readonly CapabilityTool[]>): ToolWatch {
  let known: { key: string; tools: readonly CapabilityTool[] } = { key: "[]", tools: [] };
  let timer: NodeJS.Timeout | undefined;
  const listeners = new Set<(tools: readonly CapabilityTool[]) => void>();

  async function current(): Promise<readonly CapabilityTool[]> {
    // If the registry can't be read, the next call of an extension reports it; the other tools stay as they are.
    const tools = await list().catch(() => known.tools);
    const key = tools === known.tools ? known.key : JSON.stringify(tools);
    if (key === known.key) return known.tools;
    known = { key, tools };
    for (const listener of listeners) listener(tools);
    return tools;
  }

  return {
    current,
    subscribe(listener) {
      listeners.add(listener);
      timer ??= setInterval(() => void current(), INTERVAL_MS).unref();
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
  };
}
