import { OPERATIONS } from "@drydock/protocol/http";
import type { AddRoute } from "../route/add-route.ts";
import type { ServerContext } from "../server-context.ts";

/** How the server and its home stand, and what is kept. */
export function addHome(add: AddRoute, { dock, background, metrics }: ServerContext, version: string): void {
  const startedAt = new Date().toISOString();
  add("serverStatus", OPERATIONS.serverStatus, async () => {
    const { limits, sessions } = (await dock.policies.show()).effective;
    const calls = dock.extensions.queue.list();
    const running = calls.filter(({ position }) => position === 0).length;
    const { user, system } = process.cpuUsage();
    return {
      ...{ startedAt, version, memoryBytes: process.memoryUsage.rss(), cpuSeconds: (user + system) / 1e6 },
      ...{ sandbox: dock.load(), concurrency: limits.concurrency },
      sessions: { live: dock.sessions.list().length, limit: sessions.live },
      backgroundRuns: background.count(),
      calls: { running, waiting: calls.length - running },
      streams: metrics.streams(),
    };
  });
  add("examineHome", OPERATIONS.examineHome, () => dock.doctor());
  add("diskUsage", OPERATIONS.diskUsage, () => dock.diskUsage());
  add("pruneHome", OPERATIONS.pruneHome, ({ body: { before, ...options } }) =>
    dock.prune({ ...options, before: new Date(before) }),
  );
}
