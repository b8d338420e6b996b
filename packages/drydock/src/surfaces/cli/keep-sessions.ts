import { writeSync } from "node:fs";
import { createDock, loadKeeper, readConfig } from "../../app/index.ts";
import { watchInterrupts } from "./watch-interrupts.ts";

/** The keeper's process. It says one line to whoever started it, and nothing after. */
export async function keepSessions(home: string = readConfig().home): Promise<number> {
  const { runKeeper } = await loadKeeper();
  using interrupts = watchInterrupts();
  await runKeeper({
    home,
    openDock: () => createDock({ home, warm: 0 }),
    announce: (announcement) => writeSync(1, `${JSON.stringify(announcement)}\n`),
    signal: interrupts.signal,
  });
  return 0;
}
