import { describe, expect, test } from "vitest";
import { withGoalRun } from "../testing/add-goal-run.ts";
import { makeCheck, NASTY, PROOF, type VerifyRunOptions, withVerifyRun } from "../testing/add-verify-run.ts";
import { validateSarif } from "../testing/validate-sarif.ts";
import { renderSarif, type SarifOptions } from "./render-sarif.ts";
import { readVerdictReport } from "./verdict-report.ts";

interface Result {
  ruleId: string;
  ruleIndex: number;
  level: string;
  message: { text: string };
  locations?: { physicalLocation: { artifactLocation: { uri: string }; region?: { startLine: number } } }[];
  partialFingerprints: Record<string, string>;
}

async function render(options: VerifyRunOptions, more: Partial<SarifOptions> = {}) {
  const text = await withVerifyRun(options, async ({ run, events, readers }) =>
    renderSarif(await readVerdictReport(run, events, readers), { version: "1.2.3", ...more }),
  );
  expect(await validateSarif(text)).toEqual([]);
  const [run] = JSON.parse(text).runs;
  return { text, run, results: run.results as Result[], rules: run.tool.driver.rules as { id: string }[] };
}

const placesOf = ({ locations = [] }: Result) =>
  locations.map(({ physicalLocation: { artifactLocation, region } }) =>
    region ? `${artifactLocation.uri}:${region.startLine}` : artifactLocation.uri,
  );

const failed = { verdict: "failed", code: "exit_code", reason: "It ended with status 1." } as const;

describe("SARIF", () => {
  test("has a result for each check that did not pass, under a rule for its type", async () => {
    const checks = [
      makeCheck(),
      makeCheck(failed),
      makeCheck({ ...failed, name: "other" }),
      makeCheck({
        ...{ type: "file_contains", verdict: "failed", code: "not_found", reason: "It does not contain it." },
        check: { type: "file_contains", path: "docs/read me.md", needle: "x" },
      }),
      makeCheck({
        ...{
          type: "unchanged",
          verdict: "failed",
          code: "takes_over",
          reason: "conftest.py was added.",
          implied: true,
        },
        ...{ check: { type: "unchanged", paths: ["conftest.py"] }, evidence: { path: "conftest.py", kind: "added" } },
      }),
    ];
    const { run, results, rules } = await render({ verdict: "failed", checks });
    expect(run.tool.driver).toMatchObject({ name: "Drydock", version: "1.2.3" });
    expect(run.properties).toMatchObject({ verdict: "failed", treeHash: "e".repeat(64) });
    expect(rules.map(({ id }) => id)).toEqual(["check/command", "check/file_contains", "guard/takes_over"]);
    expect(results.map(({ ruleId, level }) => [ruleId, level])).toEqual([
      ["check/command", "error"],
      ["check/command", "error"],
      ["check/file_contains", "error"],
      ["guard/takes_over", "error"],
    ]);
    for (const { ruleId, ruleIndex } of results) expect(rules[ruleIndex]?.id).toBe(ruleId);
    expect(results.map(placesOf)).toEqual([[], [], ["docs/read%20me.md"], ["conftest.py"]]);
    expect(new Set(results.map(({ partialFingerprints }) => Object.values(partialFingerprints)[0])).size).toBe(4);
  });

  test("names files from where the reader stands, and the checks' own file where there is no other", async () => {
    const missing = { type: "file_exists", check: { type: "file_exists", path: "a.txt" } };
    const checks = [makeCheck(failed), makeCheck({ ...failed, ...missing }), makeCheck(PROOF)];
    const { results } = await render(
      { verdict: "failed", checks },
      { prefix: "apps/one", checksFile: "ci/checks.yaml" },
    );
    expect(results.map(placesOf)).toEqual([
      ["ci/checks.yaml"],
      ["apps/one/a.txt"],
      ["apps/one/src/calc.py:12"],
      ["apps/one/src/a%20b%23.py:3"],
    ]);
  });

  test("says which tests are to blame, and where they are", async () => {
    const { results } = await render({ verdict: "failed", checks: [makeCheck({ ...failed, ...PROOF })] });
    expect(results[0]?.message.text).toContain("test_9 and 2 more.\nMissing: tests/test_gone.py::test_gone.\nSkipped:");
    expect(placesOf(results[0] as Result)).toEqual(["tests/test_div.py", "tests/test_gone.py", "tests/test_slow.py"]);
  });

  test("notes the faults that no check notices, at their line", async () => {
    const { results } = await render({ verdict: "passed", checks: [makeCheck(PROOF)] });
    expect(results.map(({ ruleId, level }) => [ruleId, level])).toEqual([
      ["strength/survivor", "note"],
      ["strength/survivor", "note"],
    ]);
    expect(results[0]?.message.text).toContain("No check notices this fault (compare):\n@@ -12 +12 @@");
    expect(placesOf(results[0] as Result)).toEqual(["src/calc.py:12"]);
  });

  test("has an error for a verdict that no check explains", async () => {
    const reason = "Every check also passes without the change.";
    const { results } = await render({ verdict: "unproven", checks: [makeCheck()], reason });
    expect(results).toMatchObject([
      { ruleId: "verdict/unproven", level: "error", message: { text: `unproven: ${reason}` } },
    ]);
    expect((await render({ verdict: "unverified", checks: [] })).results).toMatchObject([
      { ruleId: "verdict/unverified", level: "error" },
    ]);
    expect((await render({ verdict: "passed", checks: [makeCheck()] })).results).toEqual([]);
  });

  test("gives a finding the same fingerprint in the next run, though times, trees and lines differ", async () => {
    const strength = PROOF.strength;
    const moved = strength.survivors.map((each) => ({
      ...each,
      line: each.line + 40,
      diff: each.diff.replace("@@ -12 +12 @@", "@@ -52 +52 @@"),
    }));
    const one = await render({ verdict: "failed", checks: [makeCheck({ ...failed, ...PROOF })] });
    const other = await render({
      verdict: "failed",
      checks: [
        makeCheck({
          ...{ ...failed, ...PROOF, durationMs: 9, treeHash: "a".repeat(64), evidence: { stdout: "3.1 s" } },
          strength: { ...strength, survivors: moved },
        }),
      ],
    });
    const prints = ({ results }: typeof one) => results.map(({ partialFingerprints }) => partialFingerprints);
    expect(prints(one)).toEqual(prints(other));
    expect(one.results).toHaveLength(3);
  });

  test("takes no path that leads out of the tree, and no line that is none", async () => {
    const paths = ["../../etc/passwd", "/etc/passwd", "a/../../b", ".", 7, null, "x".repeat(5000)];
    const checks = paths.map((path, index) =>
      makeCheck({ ...failed, name: `${index}`, evidence: { path, line: -1, changed: [{ path }, null, "a"] } }),
    );
    const { results } = await render({ verdict: "failed", checks });
    expect(results.flatMap(placesOf)).toEqual([]);
    const odd = await render({
      verdict: "failed",
      checks: [makeCheck({ ...failed, evidence: { path: "a.py", line: 0.5 } })],
    });
    expect(odd.results.flatMap(placesOf)).toEqual(["a.py"]);
  });

  test("is valid whatever a check printed", async () => {
    const { tests, strength } = PROOF;
    const nasty = makeCheck({
      ...{ ...failed, ...PROOF, name: NASTY, reason: NASTY.repeat(20_000), code: NASTY, implied: true },
      evidence: { path: NASTY, changed: [{ path: NASTY }] },
      tests: { ...tests, newlyFailing: [NASTY, "\ud800.py::x"] },
      strength: { ...strength, survivors: [{ path: NASTY, line: -3, operator: NASTY, diff: NASTY }] },
    });
    const { text, results } = await render({ verdict: "failed", checks: [nasty], reason: NASTY });
    expect(text.length).toBeLessThan(100_000);
    expect(text).not.toMatch(/\\ud[89a-f]|\\u001b|\u202e/i);
    for (const { locations = [] } of results) {
      for (const { physicalLocation } of locations) {
        expect(() => new URL(physicalLocation.artifactLocation.uri, "file:///work/")).not.toThrow();
        expect(physicalLocation.artifactLocation.uri).toMatch(/^[\w%.~!'()*/-]+$/);
      }
    }
  });

  test("is made of a goal, too", async () => {
    await withGoalRun(async ({ run, events, readers }) => {
      const text = renderSarif(await readVerdictReport(run, events, readers), { version: "1.2.3" });
      expect(await validateSarif(text)).toEqual([]);
      expect(JSON.parse(text).runs[0].results).toEqual([]);
    });
  });

  test("would be found out by the schema if it were wrong", async () => {
    expect(await validateSarif('{"version":"2.1.0","runs":[{"tool":{}}]}')).not.toEqual([]);
    expect(await validateSarif('{"version":"2.1.0","runs":[],"more":1}')).not.toEqual([]);
  });
});
