import {
  type CheckResult,
  describeControl,
  describeStrength,
  describeTests,
  type TestEvidence,
} from "@drydock/protocol";
import { createPageBudget, type PageBudget } from "../report/shorten-text.ts";
import type { ReportedCheck, VerdictReport } from "./verdict-report.ts";
import { type Element, writeXml } from "./xml.ts";

const EVIDENCE = { lines: 400, characters: 40_000 };
/** What the evidence of all checks may take together: readers refuse files that are too large. */
const FILE_CHARACTERS = 4_000_000;
const TEXTS = ["diff", "stdout", "stderr", "output", "head", "body", "error"];

/**
 * JUnit XML as Jenkins, GitLab and others read it: one suite for the run with a test case for each check, and a suite for
 * each check that ran tests. The file is as red as the verdict, and never more.
 */
export function renderJunit(report: VerdictReport): string {
  const budget = createPageBudget(FILE_CHARACTERS);
  const suites = [
    renderRun(report, budget),
    ...report.checks.flatMap((check) => (check.result.tests ? [renderTests(check, check.result.tests, report)] : [])),
  ];
  const time = Math.max(0, spanMs(report));
  return writeXml({ name: "testsuites", attributes: { name: "drydock", time: seconds(time) }, children: suites });
}

function renderRun(report: VerdictReport, budget: PageBudget): Element {
  const { run, verdict, reason, checks } = report;
  const cases = checks.map(({ task, title, result }) =>
    testCase(title, classOf(task), seconds(result.durationMs), describeOutcome(result, budget)),
  );
  if (report.isOpen) {
    const name = verdict === "unverified" ? "error" : "failure";
    cases.push(testCase("verdict", classOf(null), "0.000", { name, attributes: { type: verdict, message: reason } }));
  }
  const properties = [
    property("run", run.id),
    property("verdict", verdict),
    property("reason", reason),
    ...(run.treeHash === null ? [] : [property("tree", run.treeHash)]),
    ...listProof({ strength: report.strength ?? undefined }),
    ...checks.flatMap(({ title, result }) => (result.tests ? [] : listProof(result, `: ${title}`))),
  ];
  return suite(`drydock ${run.id}`, properties, cases, seconds(spanMs(report)), report);
}

function renderTests({ task, title, result }: ReportedCheck, tests: TestEvidence, report: VerdictReport): Element {
  const { counts } = tests;
  const fails = result.verdict !== "passed";
  const bad = (type: string, message: string) => (id: string) => [
    id,
    // The verdict of the check already counts these. They are shown, and must not fail the build of a check that
    // passed.
    fails ? { name: "failure", attributes: { type, message } } : { name: "skipped", text: `${type}: ${message}` },
  ];
  const lines = [
    ...tests.newlyFailing.map(bad("newly_failing", "It passed on the untouched tree, and fails on this one.")),
    ...tests.missing.map(bad("missing", "It was reported on the untouched tree, and is not on this one.")),
    ...tests.stillFailing.map(bad("still_failing", "It failed on the untouched tree as well.")),
    ...tests.skipped.map((id) => [id, { name: "skipped", text: SKIPPED }]),
    ...tests.newlyPassing.map((id) => [id, undefined]),
  ] as [id: string, outcome: Element | undefined][];
  const listed = [...new Map(lines.toReversed()).entries()].reverse();
  const cases = listed.map(([id, outcome]) => {
    const cut = id.lastIndexOf("::");
    const [name, className] = cut > 0 ? [id.slice(cut + 2), id.slice(0, cut)] : [id, title];
    return testCase(name, className, "0.000", outcome);
  });
  const properties = [
    property("tests", describeTests(tests)),
    property("runners", tests.runners.join(", ")),
    property("complete", String(tests.complete)),
    ...Object.entries(counts).map(([name, count]) => property(`tests.${name}`, String(count))),
    ...listProof(result),
  ];
  return suite(task === null ? title : `${task}: ${title}`, properties, cases, seconds(result.durationMs), report);
}

const SKIPPED = "It ran on the untouched tree, and is skipped, deselected or expected to fail on this one.";

function describeOutcome(result: CheckResult, budget: PageBudget): Element | undefined {
  const { verdict, code, reason } = result;
  if (verdict === "passed") return undefined;
  const name = verdict === "refused" ? "error" : "failure";
  const evidence = listTexts(result).map(([key, text]) => `${key}:\n${text.trimEnd()}`);
  const { text, note } = budget.take([reason, ...evidence].join("\n\n"), EVIDENCE);
  const whole = note === null ? text : `${text}\n\n${note}`;
  return { name, attributes: { type: code, message: budget.take(reason, MESSAGE).text }, text: whole };
}

const MESSAGE = { lines: 12, characters: 1200 };

function listTexts({ evidence }: CheckResult): [key: string, text: string][] {
  return TEXTS.flatMap((key) => {
    const text = evidence[key];
    return typeof text === "string" && text.trim() !== "" ? [[key, text] as [string, string]] : [];
  });
}

/** Control and strength as text and as numbers. */
function listProof({ control, strength }: Pick<CheckResult, "control" | "strength">, of = ""): Element[] {
  const survivors = strength?.survivors.slice(0, 100) ?? [];
  return [
    ...(control ? [property(`control${of}`, withoutLabel(describeControl(control)))] : []),
    ...(strength
      ? [
          property(`strength${of}`, withoutLabel(describeStrength(strength))),
          property(`strength.score${of}`, strength.score === null ? "none" : String(strength.score)),
        ]
      : []),
    ...survivors.map(({ path, line, operator }) => property(`strength.survivor${of}`, `${path}:${line} ${operator}`)),
  ];
}

const withoutLabel = (text: string) => text.replace(/^\w+: /, "");

function suite(
  name: string,
  properties: readonly Element[],
  cases: readonly Element[],
  time: string,
  { run }: VerdictReport,
): Element {
  const count = (outcome: string) => cases.filter(({ children }) => children?.[0]?.name === outcome).length;
  return {
    name: "testsuite",
    attributes: {
      name,
      tests: cases.length,
      failures: count("failure"),
      errors: count("error"),
      skipped: count("skipped"),
      time,
      timestamp: new Date(run.createdAt).toISOString().slice(0, 19),
    },
    children: [{ name: "properties", children: properties }, ...cases],
  };
}

function testCase(name: string, classname: string, time: string, outcome?: Element): Element {
  return { name: "testcase", attributes: { name, classname, time }, children: outcome ? [outcome] : [] };
}

function property(name: string, value: string): Element {
  return { name: "property", attributes: { name, value } };
}

const classOf = (task: string | null) => (task === null ? "drydock" : `drydock.${task}`);
const seconds = (milliseconds: number) => (Math.max(0, milliseconds) / 1000).toFixed(3);

function spanMs({ run }: VerdictReport): number {
  return run.endedAt === null ? 0 : Date.parse(run.endedAt) - Date.parse(run.createdAt);
}
