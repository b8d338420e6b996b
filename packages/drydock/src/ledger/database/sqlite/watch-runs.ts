import type { RunWatcher } from "../run-watcher.ts";

/** SQLite tells nobody of its changes: who follows has to look. */
export function createPollingWatcher(everyMs: number): RunWatcher {
  const timers = new Set<NodeJS.Timeout>();
  return {
    watch(_runId, wake) {
      const timer = setInterval(wake, everyMs).unref();
      timers.add(timer);
      return () => {
        clearInterval(timer);
        timers.delete(timer);
      };
    },
    async close() {
      for (const timer of timers) clearInterval(timer);
      timers.clear();
    },
  };
}
