import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { createRedactor, type NewEvent } from "../../../ledger/index.ts";
import { titleOf } from "../../execute/read-request.ts";
import { keepOutput } from "./keep-output.ts";
import { recordOutput } from "./record-output.ts";

const LONG = `long-${"s3cr3t".repeat(100)}`;
const SECRET = "Zq7-second-secret-of-40-characters-ab-cd";
const { text: redact } = createRedactor({ environment: { LONG, SECRET }, allowedNames: () => false });
const ledger = { redact };
const HEAD = SECRET.slice(0, 12);
const KI = 1024;

/** A text whose secrets are redacted to so much less that what lay behind the window comes before the cut. */
const shrinking = (length: number) => `${LONG}\n`.repeat(Math.ceil(length / LONG.length)).slice(0, length);

it.each([
  ["over the cut", "x".repeat(64 * KI - 12)],
  ["over twice the cut", "x".repeat(128 * KI - 12)],
  ["over twice the cut, behind secrets that redaction shortens", shrinking(128 * KI - 13)],
  ["behind characters of two units and three bytes", "😀€".repeat((64 * KI - 12) / 3)],
])("half a secret is not recorded: %s", (_where, before) => {
  const { data } = recordOutput(ledger, { stdout: `${before}\n${SECRET}${"y".repeat(200 * KI)}`, stderr: "" });
  expect(String(data?.stdout)).not.toContain(HEAD);
  expect(String(data?.stdout).length).toBeLessThanOrEqual(64 * KI);
});

it("half a secret is not kept of a run under way whose output is longer than what is held", async () => {
  let kept: NewEvent | undefined;
  const keep = (_runId: string, event: NewEvent) => {
    kept = event;
  };
  const unfinished = { keep, read: () => null, drop: () => {} };
  const output = keepOutput({ redact, unfinished }, async () => "run_1");
  output.add("stdout", Buffer.from(`${shrinking(128 * KI - 13)}\n${SECRET}`));
  output.add("stderr", Buffer.from("short"));
  await expect.poll(() => kept, { timeout: 10_000 }).toBeDefined();
  output.stop();
  await sleep(0);
  expect(String(kept?.data?.stdout)).not.toContain(HEAD);
  expect(kept?.data?.stderr).toBe("short");
});

it("half a secret is not in the title", () => {
  const code = `connect("${"h".repeat(75)}", "${SECRET}")`;
  expect(titleOf(ledger, { language: "python", code })).not.toContain(HEAD);
});
