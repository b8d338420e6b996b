import { it } from "vitest";
import { openTestDock } from "../testing/test-dock.ts";
import { loadHost } from "./testing/load.ts";

const test = openTestDock();

it("the same for five minutes", async () => {
  console.log(await loadHost({ dock: test.dock, directory: test.directory, plugins: 20, atOnce: 200, seconds: 300 }));
});
