import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeTemporaryDirectory } from "../../base/testing/temporary-directory.ts";
import { describePlaces } from "./record-conditions.ts";
import { openRecordStore } from "./record-store.ts";

const REPORT = { exitCode: 1, runners: [{ name: "pytest", complete: true }], truncated: false };
const record = (report: object | null, passed = false) => JSON.stringify({ passed, report });

/** What the next run reads of what this one wrote. */
async function readNext(text: string): Promise<string | null> {
  const directory = makeTemporaryDirectory();
  const open = () => openRecordStore(directory, async () => "same");
  const first = open();
  await first.write("key", text);
  expect(await first.read("key")).toBe(text);
  return open().read("key");
}

it("keeps what passed, and what a test runner reported to its end", async () => {
  for (const text of [record({ ...REPORT, exitCode: 0, runners: [] }, true), record(REPORT)]) {
    expect(await readNext(text)).toBe(text);
  }
});

it.each([
  ["that failed without a test runner, as where none is installed", { ...REPORT, runners: [] }],
  ["of a test runner that did not get to its end", { ...REPORT, runners: [{ name: "pytest", complete: false }] }],
  ["that ended by a limit", { ...REPORT, exitCode: null }],
  ["that is cut", { ...REPORT, truncated: true }],
  ["without a report", null],
])("does not carry a record into another run %s", async (_, report) => {
  expect(await readNext(record(report))).toBeNull();
});

it("takes records again under other conditions", async () => {
  const directory = makeTemporaryDirectory();
  await openRecordStore(directory, async () => ({ level: "cgroups" })).write("key", record(REPORT));
  expect(await openRecordStore(directory, async () => ({ level: "rlimits" })).read("key")).toBeNull();
});

it("tells that a program or package was installed", async () => {
  const directory = makeTemporaryDirectory();
  const places = [directory, join(directory, "python3"), join(directory, "none")];
  const seen = [await describePlaces(places)];
  mkdirSync(join(directory, "pytest"));
  seen.push(await describePlaces(places));
  writeFileSync(join(directory, "python3"), "x");
  seen.push(await describePlaces(places));
  expect(new Set(seen.map((each) => JSON.stringify(each))).size).toBe(3);
});
