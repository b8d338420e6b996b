import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openAttackDock } from "./attack-dock.ts";

// A value that the policy lets through by name is no secret; all others of the host's environment are.
const it = openAttackDock();

/** Every byte below the dock's home, as one text. */
function homeBytes(directory: string): string {
  return readdirSync(directory)
    .map((name) => join(directory, name))
    .map((path) => (statSync(path).isDirectory() ? homeBytes(path) : readFileSync(path, "latin1")))
    .join("\n");
}

/** What a run writes into files is kept byte by byte, or it could not be delivered: this is about everything else. */
describe("a secret that the code knows of", () => {
  test("a host's variable that is printed, raised, returned or named is in no file of the home", async () => {
    const halves = [it.canary.slice(0, 11), it.canary.slice(11)];
    const secret = `${JSON.stringify(halves[0])} + ${JSON.stringify(halves[1])}`;
    const results = [
      await it.attack(`s = ${secret}\nprint(s)\nimport sys; print(s, file=sys.stderr)\nresult = {s: [s]}`),
      await it.attack(`raise ValueError(${secret})`),
      await it.attack(`print(${JSON.stringify(it.canary)})`),
      await it.attack(`import sys; sys.stdout.write("x" * 100000 + ${secret})`),
    ];
    expect(results[0]?.stdout).toContain(it.canary.slice(0, 3));
    const stored = homeBytes(it.dock.home);
    expect(stored.length).toBeGreaterThan(1000);
    expect(stored).not.toContain(it.canary);
  });

  test("well-known keys in code and output", async () => {
    const key = `ghp_${randomBytes(18).toString("hex")}`;
    const aws = `AKIA${randomBytes(8).toString("hex").toUpperCase()}`;
    await it.attack(`token = "${key}"\nprint(token, "${aws}")`);
    const stored = homeBytes(it.dock.home);
    expect(stored).not.toContain(key);
    expect(stored).not.toContain(aws);
  });
});
