import { describe, expect, it } from "vitest";
import { openWitness, outcomes } from "./witness.ts";

const witness = openWitness();

const WRITE = 'mkdir -p out && printf \'<testsuite><testcase classname="A" name="%s"/></testsuite>\'';

describe("what a command writes as JUnit XML", () => {
  it("is read where this run wrote it, and not what lay there before", async () => {
    const files = { "out/old.xml": '<testsuite><testcase classname="A" name="old"/></testsuite>' };
    const report = await witness.report(files, `${WRITE} new > out/new.xml`, { junit: "out/*.xml" });
    expect(outcomes(report)).toEqual({ "A::new": "passed" });
    expect(report.runners).toEqual([{ name: "junit", complete: true }]);
  });

  it("is read where it replaces what lay there before", async () => {
    const files = { "out/a.xml": '<testsuite><testcase classname="A" name="old"/></testsuite>' };
    const report = await witness.report(files, `${WRITE} new > out/a.xml`, { junit: "out/a.xml" });
    expect(outcomes(report)).toEqual({ "A::new": "passed" });
  });

  it("is not complete where nothing was written, or it leads out of the workspace", async () => {
    const runners = [{ name: "junit", complete: false }];
    expect(await witness.report({ "a.txt": "" }, "true", { junit: "out/*.xml" })).toMatchObject({ runners, tests: [] });
    const elsewhere = `cd /tmp && ${WRITE} new > out/a.xml`;
    expect(await witness.report({ "a.txt": "" }, elsewhere, { junit: "../tmp/out/a.xml" })).toMatchObject({
      runners,
      tests: [],
    });
  });

  it("stands beside what the runner itself reports", async () => {
    const report = await witness.report({ "test_a.py": "def test_a(): pass\n" }, "pytest -q --junitxml=r.xml", {
      junit: "r.xml",
    });
    expect(report.runners).toEqual([
      { name: "pytest", complete: true },
      { name: "junit", complete: true },
    ]);
    expect(outcomes(report)).toEqual({ "test_a.py::test_a": "passed", "test_a::test_a": "passed" });
  });
});
