import { expect, it } from "vitest";
import { openTestDock } from "../testing/test-dock.ts";
import { type Language, tryBehaviours, type Wire } from "./testing/matrix.ts";

const test = openTestDock();

it.each<[Language, Wire]>([
  ["TypeScript", "stdio"],
  ["Python", "stdio"],
  ["TypeScript", "WebSocket"],
  ["Python", "WebSocket"],
])("each behaviour by itself, five times over, in %s over %s", async (language, wire) => {
  for (let round = 0; round < 5; round++)
    await tryBehaviours({ dock: test.dock, directory: test.directory, language, wire }, "whole");
  expect(await test.dock.audit.verify()).toMatchObject({ ok: true });
});
