import { useSyncExternalStore } from "react";

/** Whether the server answers. `waiting`: it did not, and is asked again until it does. */
export type Connection = "open" | "waiting";

let state: Connection = "open";
const listeners = new Set<(state: Connection) => void>();

export function setConnection(next: Connection): void {
  if (next === state) return;
  state = next;
  for (const listener of listeners) listener(next);
}

export function onConnection(listener: (state: Connection) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useConnection(): Connection {
  return useSyncExternalStore(onConnection, () => state);
}
