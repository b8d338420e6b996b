import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openTestDock } from "../testing/test-dock.ts";
import { EXPECTED } from "./testing/behaviours.ts";
import { LANGUAGES, type Language, tryBehaviours, type Wire } from "./testing/matrix.ts";

describe("whatever a plugin does, each run ends once and the next one works", () => {
  const test = openTestDock();
  const forms: [Language, Wire][] = [
    ["TypeScript", "stdio"],
    ["Python", "stdio"],
    ["TypeScript", "WebSocket"],
    ["Python", "WebSocket"],
  ];

  it.each(forms)("in %s over %s", async (language, wire) => {
    await tryBehaviours({ dock: test.dock, directory: test.directory, language, wire }, "short");
  });

  it("and the record of it holds", async () => {
    expect(await test.dock.audit.verify()).toMatchObject({ ok: true });
  });
});

it("every behaviour of the plugin is tried", () => {
  const list = execFileSync(process.execPath, [join(LANGUAGES.TypeScript.source, "main.ts"), "--list"]);
  expect(EXPECTED.map(({ name }) => name).sort()).toEqual(JSON.parse(list.toString()));
});
