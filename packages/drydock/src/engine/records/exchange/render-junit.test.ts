import type { CheckResult } from "@drydock/protocol";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { withGoalRun } from "../testing/add-goal-run.ts";
import { makeCheck, NASTY, PROOF, type VerifyRunOptions, withVerifyRun } from "../testing/add-verify-run.ts";
import { validateJunit } from "../testing/validate-junit.ts";
import { renderJunit } from "./render-junit.ts";
import { readVerdictReport } from "./verdict-report.ts";
import { writeXml } from "./xml.ts";

const render = (options: VerifyRunOptions) =>
  withVerifyRun(options, async ({ run, events, readers }) =>
    renderJunit(await readVerdictReport(run, events, readers)),
  );

const failed: Partial<CheckResult> = {
  verdict: "failed",
  code: "exit_code",
  reason: '"pytest -q" ended with status 1, not 0.',
  evidence: { stdout: "E   assert -1 == 3\n1 failed\n", exitCode: 1 },
};

describe("JUnit XML", () => {
  test("has a suite for the run with a test case for each check", async () => {
    const refused = { type: "file_exists", verdict: "refused", code: "illegal_path", reason: "No." } as const;
    const checks = [makeCheck(), makeCheck(failed), makeCheck({ ...refused, check: { path: "a{}" } })];
    const xml = await render({ verdict: "failed", checks });
    expect(await validateJunit(xml)).toEqual([]);
    expect(xml).toMatch(/<testsuite name="drydock run_\w+" tests="3" failures="1" errors="1" skipped="0" time="\d/);
    expect(xml).toContain('<testcase name="command: pytest -q" classname="drydock" time="0.421"/>');
    // Readers take test cases of one name for one.
    expect(xml).toContain('<testcase name="command: pytest -q (2)" classname="drydock"');
    expect(xml).toContain(
      '<failure type="exit_code" message="&quot;pytest -q&quot; ended with status 1, not 0.">&quot;pytest -q&quot;',
    );
    expect(xml).toContain("stdout:\nE   assert -1 == 3\n1 failed</failure>");
    expect(xml).toContain('<error type="illegal_path" message="No.">No.</error>');
    expect(xml).toContain('<property name="verdict" value="failed"/>');
    expect(xml.match(/<testsuite /g)).toHaveLength(1);
  });

  test("has a suite for each check that ran tests, with what became of them", async () => {
    const checks = [makeCheck({ ...failed, ...PROOF, name: "unit tests" })];
    const xml = await render({ verdict: "failed", checks });
    expect(await validateJunit(xml)).toEqual([]);
    expect(xml).toContain('<testsuite name="unit tests" tests="18" failures="14" errors="0" skipped="1" time="0.421"');
    expect(xml).toContain(
      `<testcase name="test_11" classname="tests/test_div.py::TestDiv" time="0.000">
      <failure type="newly_failing" message="It passed on the untouched tree, and fails on this one."/>`,
    );
    expect(xml).toContain('<failure type="missing" message="It was reported on the untouched tree');
    expect(xml).toContain('<failure type="still_failing" message="It failed on the untouched tree as well."/>');
    expect(xml).toContain("<skipped>It ran on the untouched tree");
    expect(xml).toContain('<testcase name="test_add" classname="tests/test_calc.py" time="0.000"/>');
    for (const [name, value] of [
      ["tests.stillPassing", "9"],
      ["control", "24 expectations made wrong on purpose, the check failed as it should"],
      ["strength", "18 of 20 mutants killed"],
      ["strength.score", "0.9"],
      ["strength.survivor", "src/calc.py:12 compare"],
    ]) {
      expect(xml).toContain(`<property name="${name}" value="${value}"/>`);
    }
  });

  test("is never redder than the verdict: tests that fail in a check that passed are told, and fail nothing", async () => {
    const xml = await render({ verdict: "passed", checks: [makeCheck(PROOF)] });
    expect(await validateJunit(xml)).toEqual([]);
    expect(xml).not.toContain("<failure");
    expect(xml).toContain("<skipped>newly_failing: It passed on the untouched tree");
  });

  test("is never greener than the verdict: what no check failed fails as the verdict", async () => {
    const reason = "Every check also passes without the change.";
    const unproven = await render({ verdict: "unproven", checks: [makeCheck({ alsoPassesBefore: true })], reason });
    expect(unproven).toContain(`<testcase name="verdict" classname="drydock" time="0.000">
      <failure type="unproven" message="${reason}"/>`);
    const nothing = await render({ verdict: "unverified", checks: [] });
    expect(nothing).toContain('<error type="unverified" message="No check judged the result."/>');
    expect(await render({ verdict: "passed", checks: [makeCheck()] })).not.toContain('name="verdict" classname');
    for (const xml of [unproven, nothing]) expect(await validateJunit(xml)).toEqual([]);
  });

  test("tells of a goal the last checks of each task, by task", async () => {
    await withGoalRun(async ({ run, events, readers }) => {
      const xml = renderJunit(await readVerdictReport(run, events, readers));
      expect(await validateJunit(xml)).toEqual([]);
      expect(xml).toContain('tests="12" failures="0"');
      expect(xml.match(/<testcase name="tests" classname="drydock\.fix-add"/g)).toHaveLength(1);
    });
  });

  test("counts only the last round where the directory changed meanwhile", async () => {
    await withVerifyRun({ verdict: "passed", checks: [makeCheck(failed)] }, async ({ run, events, readers }) => {
      const again = { ...events[1], data: { ...makeCheck(), round: 1 } } as (typeof events)[number];
      const report = await readVerdictReport(run, [...events.slice(0, 2), again, ...events.slice(2)], readers);
      expect(report.checks.map(({ result }) => result.verdict)).toEqual(["passed"]);
    });
  });

  test("is well-formed whatever a check printed", async () => {
    const { tests } = PROOF;
    const nasty = makeCheck({
      ...failed,
      ...PROOF,
      name: NASTY,
      reason: NASTY,
      code: NASTY,
      evidence: { stdout: NASTY.repeat(20_000), stderr: NASTY, diff: NASTY },
      tests: { ...tests, newlyFailing: [NASTY], missing: [`a::${NASTY}`], newlyPassing: ["", "::"] },
      control: { kind: "none", edits: 0, failed: null, survivors: [], reason: NASTY },
    });
    expect(String(nasty.evidence.stdout).length).toBeGreaterThan(1024 * 1024);
    const xml = await render({ verdict: "failed", checks: [nasty], reason: NASTY, title: NASTY });
    expect(await validateJunit(xml)).toEqual([]);
    expect(xml.length).toBeLessThan(200_000);
    expect(xml).toContain("]]&gt;");
    expect(xml).toContain("␛[31m");
    expect(xml).toContain("🚢");
    expect(xml).not.toMatch(/[\p{Surrogate}\p{Bidi_Control}\ufffe]/u);
    expect(xml.replace(/[\n\t]/g, "")).not.toMatch(/\p{Cc}/u);
  });

  test("writes any text as XML that libxml2 takes", async () => {
    const unit = fc.nat({ max: 0xffff });
    const any = fc.array(unit, { maxLength: 40 }).map((units) => String.fromCharCode(...units));
    const texts = [...fc.sample(any, 300), ...Array.from({ length: 0x300 }, (_, code) => String.fromCharCode(code))];
    const children = texts.map((text) => ({
      name: "testcase",
      attributes: { name: text },
      children: [{ name: "failure", attributes: { message: text }, text }],
    }));
    expect(await validateJunit(writeXml({ name: "testsuite", attributes: { name: "a", tests: 1 }, children }))).toEqual(
      [],
    );
  });

  test("would be found out by the schema if it were wrong", async () => {
    expect(await validateJunit("<testsuites><testsuite/></testsuites>")).not.toEqual([]);
    expect(await validateJunit("<testsuites>\u0001</testsuites>")).not.toEqual([]);
  });
});
