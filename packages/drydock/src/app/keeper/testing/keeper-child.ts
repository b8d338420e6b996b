/** A keeper over a fake dock, as a process of its own: `keeper-child.ts HOME`, or `keeper-child.ts HOME broken`. */
import { writeSync } from "node:fs";
import { DrydockError } from "@drydock/protocol";
import { runKeeper } from "../run-keeper.ts";
import { createFakeDock } from "./fake-dock.ts";

const [home = "", mode] = process.argv.slice(2);
await runKeeper({
  home,
  async openDock() {
    if (mode === "broken") throw new DrydockError("sandbox.unavailable", "No sandbox here.", "Install one.");
    return createFakeDock(home);
  },
  announce: (announcement) => writeSync(1, `${JSON.stringify(announcement)}\n`),
  signal: new AbortController().signal,
});
