import { describe, expect, it } from "vitest";
import { readJunit } from "./read-junit.ts";

const read = (text: string) => readJunit([{ path: "report.xml", text }], "/work");

describe("reading JUnit XML", () => {
  it("finds tests in nested suites, with their outcomes", async () => {
    const { tests, complete } = await read(`<?xml version="1.0" encoding="utf-8"?>
      <testsuites><testsuite name="all" file="tests/a.rb"><testsuite name="inner">
        <testcase classname="A" name="passes &lt;1&gt;" time="0.1"/>
        <testcase classname="A" name="fails"><failure message="no">at &amp; there</failure></testcase>
        <testcase classname="A" name="errs"><error/></testcase>
        <testcase classname="A" name="skips"><skipped/></testcase>
        <testcase classname="A" name="skips"><system-out><![CDATA[<failure/>]]></system-out></testcase>
        <testcase name="alone" file="/work/b.go"/>
      </testsuite></testsuite></testsuites>`);
    expect(complete).toBe(true);
    expect(tests.map(({ id, outcome, file }) => [id, outcome, file])).toEqual([
      ["A::passes <1>", "passed", "tests/a.rb"],
      ["A::fails", "failed", "tests/a.rb"],
      ["A::errs", "failed", "tests/a.rb"],
      ["A::skips", "skipped", "tests/a.rb"],
      ["A::skips #2", "passed", "tests/a.rb"],
      ["b.go::alone", "passed", "b.go"],
    ]);
  });

  it.each([
    ["is cut off", '<testsuite><testcase name="a"/>'],
    ["is not XML", "PASS"],
    ["is empty", ""],
    ["is of another kind", "<html></html>"],
    ["declares entities", '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><testsuite name="&b;"/>'],
    ["is nested too deep", `<testsuite>${"<a>".repeat(500)}${"</a>".repeat(500)}</testsuite>`],
  ])("is not complete where it %s", async (_, text) => {
    expect(await read(text)).toEqual({ tests: [], complete: false });
  });

  it("does not take files that lie elsewhere for files of the workspace", async () => {
    const { tests } = await read(
      '<testsuite><testcase name="a" file="/etc/x"/><testcase name="b" file="../x"/></testsuite>',
    );
    expect(tests.map(({ file }) => file)).toEqual([null, null]);
  });
});
