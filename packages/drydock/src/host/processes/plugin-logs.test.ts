import { expect, it } from "vitest";
import { createPluginLogs } from "./plugin-logs.ts";

it("keeps the newest lines of each plugin whole, and of 256 plugins those that wrote last", () => {
  const logs = createPluginLogs();
  expect(logs.read("ada/silent")).toBe("");
  logs.add("ada/one", "half ");
  logs.add("ada/one", "a line\n");
  logs.add("ada/other", "not its own\n");
  expect(logs.read("ada/one")).toBe("half a line\n");
  for (let line = 0; line < 5000; line++) logs.add("ada/one", `line ${line} of many\n`);
  const kept = logs.read("ada/one");
  expect(kept.length).toBeLessThanOrEqual(64 * 1024);
  expect(kept).toMatch(/^line \d+ of many\n/);
  expect(kept.endsWith("line 4999 of many\n")).toBe(true);
  for (let plugin = 0; plugin < 255; plugin++) logs.add(`ada/p${plugin}`, "here\n");
  expect([logs.read("ada/other"), logs.read("ada/p0"), logs.read("ada/one")]).toEqual(["", "here\n", kept]);
});
