import { writeSync } from "node:fs";
import { watchInterrupts } from "../terminal/watch-interrupts.ts";

/** The keeper's process. It writes one line to the process that started it, and nothing after. */
export async function keepSessions(home?: string): Promise<void> {
  const { createDock, loadKeeper, readConfig } = await import("../../app/index.ts");
  const { runKeeper } = await loadKeeper();
  using interrupts = watchInterrupts();
  await runKeeper({
    home: home ?? readConfig().home,
    openDock: (kept) => createDock({ home: kept, warm: 0 }),
    announce: (announcement) => writeSync(1, `${JSON.stringify(announcement)}\n`),
    signal: interrupts.signal,
  });
}
