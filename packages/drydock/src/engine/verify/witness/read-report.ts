import { inflateSync } from "node:zlib";
import { TestOutcome, TestRunner } from "@drydock/protocol";
import * as z from "zod";
import { readJunit } from "./read-junit.ts";
import type { WitnessReport } from "./witness-report.ts";
import { worseOutcome } from "./worse-outcome.ts";

const MOST_BYTES = 20 << 20;
const MOST_TESTS = 100_000;

const place = z.string().nullable();
const located = z.tuple([z.string(), place]);

/** What the hooks write, one line each. The processes of the check write them: nothing in them is trusted to have a shape. */
const Line = z.union([
  z.tuple([z.literal("start"), TestRunner, z.string()]),
  z.tuple([z.literal("end"), TestRunner, z.string()]),
  z.tuple([z.literal("ids"), TestRunner, z.array(located)]),
  z.tuple([z.literal("test"), TestRunner, z.string(), TestOutcome, place]),
  /** A test, or a file of tests, that is known from its beginning on; one that ended without an outcome is not. */
  z.tuple([z.literal("begun"), TestRunner, z.string(), place]),
  z.tuple([z.literal("ended"), TestRunner, z.string()]),
  z.tuple([z.literal("file"), z.string(), z.enum(["import", "open", "run"]), place]),
  z.tuple([z.literal("module"), z.enum(["python", "node"]), z.string(), place, place, z.literal("outside").nullable()]),
  z.tuple([z.literal("path"), z.string()]),
  z.tuple([z.literal("sought"), z.string(), z.string(), place]),
  z.tuple([z.literal("looked"), z.string(), z.string()]),
  z.tuple([z.literal("replaced"), z.string(), place, place, place]),
  z.tuple([z.literal("retried"), z.string()]),
  z.tuple([z.literal("caught"), z.string(), z.string()]),
  z.tuple([z.literal("operator"), z.string(), z.string(), z.string(), z.string(), z.string()]),
  z.tuple([z.literal("decided"), z.string(), z.string(), place]),
]);
type Line = z.infer<typeof Line>;

const Sent = z.object({
  exitCode: z.number().int().nullable(),
  services: z.array(z.object({ start: z.string(), ended: z.number().int().nullable(), output: z.string() })),
  truncated: z.boolean(),
  stalled: z.boolean().default(false),
  named: z.array(z.tuple([TestRunner, z.string(), z.string()])).default([]),
  lines: z.string(),
  /** Files of JUnit XML that the command wrote; null if none were requested. */
  junit: z.string().nullable().default(null),
  root: z.string(),
});

const JunitFiles = z.array(z.object({ path: z.string(), text: z.string() }));

/** Reads what the driver sent. Null where that is no report. */
export async function readReport(text: string): Promise<WitnessReport | null> {
  try {
    const { lines, named, junit, root, ...sent } = Sent.parse(JSON.parse(text));
    const report = mergeLines(parseLines(unpack(lines)), named, sent);
    if (junit === null) return report;
    const { tests, complete } = await readJunit(JunitFiles.parse(JSON.parse(unpack(junit))), root);
    report.runners.push({ name: "junit", complete });
    report.tests.push(...tests.slice(0, MOST_TESTS));
    report.truncated ||= tests.length > MOST_TESTS;
    return report;
  } catch {
    return null;
  }
}

function unpack(packed: string): string {
  return inflateSync(Buffer.from(packed, "base64"), { maxOutputLength: MOST_BYTES }).toString();
}

function parseLines(text: string): Line[] {
  return text.split("\n").flatMap((line) => {
    try {
      const { success, data } = Line.safeParse(JSON.parse(line));
      return success ? [data] : [];
    } catch {
      // The process was killed while it wrote the line.
      return [];
    }
  });
}

type Named = z.infer<typeof Sent>["named"];

function mergeLines(
  lines: readonly Line[],
  named: Named,
  sent: Pick<WitnessReport, "exitCode" | "services" | "truncated" | "stalled">,
): WitnessReport {
  const tests = new Map<string, WitnessReport["tests"][number]>();
  const known = new Map<string, { id: string; file: string }>();
  const open = new Map<string, Set<string>>();
  const report: WitnessReport = {
    ...{ ...sent, runners: [], tests: [], named: [] },
    ...{ files: [], modules: [], searchPath: [], sought: [], looked: [], replaced: [] },
    ...{ retried: [], caught: [], operators: [], decided: [] },
  };
  const ends = new Set(lines.flatMap((line) => (line[0] === "end" ? [`${line[1]} ${line[2]}`] : [])));
  for (const line of lines) {
    switch (line[0]) {
      case "start": {
        const [, runner, session] = line;
        const unfinished = open.get(runner) ?? new Set();
        open.set(runner, unfinished);
        if (!ends.has(`${runner} ${session}`)) unfinished.add(session);
        break;
      }
      case "end":
        break;
      case "ids":
        for (const [id, file] of line[2]) known.set(`${line[1]} ${id}`, { id, file: file ?? "" });
        break;
      case "begun":
        known.set(`${line[1]} ${line[2]}`, { id: line[2], file: line[3] ?? "" });
        break;
      case "ended":
        known.delete(`${line[1]} ${line[2]}`);
        break;
      case "test": {
        const [, runner, id, outcome, file] = line;
        const before = tests.get(`${runner} ${id}`);
        if (!before || worseOutcome(before.outcome, outcome) !== before.outcome)
          tests.set(`${runner} ${id}`, { id, runner, outcome, file });
        break;
      }
      default:
        noteSeen(line, report);
    }
  }
  for (const [runner, id, file] of named) known.set(`${runner} ${id}`, { id, file });
  report.runners = [...open].map(([name, unfinished]) => ({
    name: TestRunner.parse(name),
    complete: unfinished.size === 0,
  }));
  report.tests = [...tests.values()].slice(0, MOST_TESTS);
  report.named = [...known]
    .filter(([key]) => !tests.has(key))
    .map(([, each]) => each)
    .slice(0, MOST_TESTS);
  report.truncated ||= tests.size > MOST_TESTS || known.size > MOST_TESTS;
  return report;
}

type Seen = Exclude<Line, ["start" | "end" | "ids" | "begun" | "ended" | "test", ...unknown[]]>;

/** What was seen beside the tests. */
function noteSeen(line: Seen, report: WitnessReport): void {
  switch (line[0]) {
    case "file":
      report.files.push({ path: line[1], how: line[2], by: line[3] });
      break;
    case "module": {
      const [, language, name, by, found, outside] = line;
      report.modules.push({ language, name, by, found, outside: outside !== null });
      break;
    }
    case "path":
      report.searchPath.push(line[1]);
      break;
    case "sought":
      report.sought.push({ path: line[1], by: line[2], giver: line[3] });
      break;
    case "looked":
      report.looked.push({ what: line[1], by: line[2] });
      break;
    case "replaced": {
      const [, what, by, program, holder] = line;
      report.replaced.push({ what, by, program, holder });
      break;
    }
    case "operator": {
      const [, owner, file, name, first, last] = line;
      report.operators.push({ owner, file, name, first: Number(first), last: Number(last) });
      break;
    }
    case "decided":
      report.decided.push({ owner: line[1], file: line[2], asker: line[3] });
      break;
    case "retried":
      report.retried.push(line[1]);
      break;
    case "caught":
      report.caught.push({ by: line[1], holder: line[2] });
      break;
    default:
      line satisfies never;
  }
}
