import { it } from "vitest";
import { openTestDock } from "../testing/test-dock.ts";
import { loadHost } from "./testing/load.ts";

const test = openTestDock();

it("200 conversations over 20 plugins whose processes are killed: every run ends, and nothing crosses", async () => {
  await loadHost({ dock: test.dock, directory: test.directory, plugins: 20, atOnce: 200, seconds: 20 });
});
