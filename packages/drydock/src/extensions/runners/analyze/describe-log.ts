import { countWord } from "@drydock/protocol";
import { type AnalysisFinding, excerpt } from "./analysis-finding.ts";
import { findErrorLines } from "./find-errors.ts";

const TIME =
  /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?|\b[A-Z][a-z]{2} +\d{1,2} \d\d:\d\d:\d\d\b|\d{1,2}\/[A-Z][a-z]{2}\/\d{4}:\d\d/;
const LEVEL = /(?<![\w-])(TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|CRITICAL)(?![\w-])|\blevel="?(\w+)/;
const ACCESS = /" (\d{3}) (\d+|-)/;
const MAX_LINES = 100_000;

export function looksLikeLog(text: string): boolean {
  const lines = text
    .slice(0, 20_000)
    .split("\n")
    .filter((line) => line.trim() !== "")
    .slice(0, 200);
  const dated = lines.filter((line) => TIME.test(line.slice(0, 60))).length;
  const levelled = lines.filter((line) => LEVEL.test(line.slice(0, 100))).length;
  return lines.length >= 2 && (dated >= lines.length * 0.3 || levelled >= lines.length * 0.5);
}

export interface LogDescription {
  shape: string[];
  errors: AnalysisFinding[];
  outliers: AnalysisFinding[];
  levels: Record<string, number>;
}

/** Levels, the time it spans, what repeats, errors and stack traces. */
export function describeLog(text: string): LogDescription {
  const lines = text.split("\n", MAX_LINES).filter((line) => line.trim() !== "");
  const levels = count(lines.map((line) => levelOf(line)).filter((level) => level !== null));
  const times = lines.map((line) => TIME.exec(line.slice(0, 80))?.[0]).filter((time) => time !== undefined);
  const statuses = count(lines.map((line) => ACCESS.exec(line)?.[1]).filter((status) => status !== undefined));
  const { findings, errorLines, traces } = findErrorLines(lines);
  const failed = Object.entries(statuses).filter(([status]) => status >= "400");
  const shape = [
    countWord(lines.length, "line"),
    ...(times.length > 0 ? [`from ${times[0]} to ${times.at(-1)}`] : []),
    ...(Object.keys(levels).length > 0 ? [`levels: ${listCounts(levels)}`] : []),
    ...(Object.keys(statuses).length > 0 ? [`HTTP statuses: ${listCounts(statuses)}`] : []),
  ];
  const errors: AnalysisFinding[] = [
    ...(traces > 0 ? [{ kind: "trace", at: "", message: countWord(traces, "stack trace") }] : []),
    ...failed.map(([status, times]) => ({ kind: "http", at: "", message: `HTTP status ${status}, ${times} times` })),
    ...findings,
    ...(errorLines > findings.length
      ? [{ kind: "line", at: "", message: `${errorLines - findings.length} more lines speak of errors` }]
      : []),
  ];
  return { shape, errors, outliers: findRepeated(lines), levels };
}

function levelOf(line: string): string | null {
  const match = LEVEL.exec(line.slice(0, 200));
  const level = (match?.[1] ?? match?.[2])?.toUpperCase() ?? null;
  return level === "WARNING" ? "WARN" : level;
}

/** Lines that are the same but for their numbers. */
function findRepeated(lines: readonly string[]): AnalysisFinding[] {
  const kinds = count(lines.map((line) => line.slice(0, 300).replace(/\b0x[0-9a-f]+\b|\b[0-9a-f]{8,}\b|\d+/gi, "#")));
  return Object.entries(kinds)
    .filter(([, times]) => times >= 5 && times >= lines.length * 0.1)
    .sort(([, one], [, other]) => other - one)
    .slice(0, 3)
    .map(([kind, times]) => ({ kind: "repeated", at: "", message: `${times} times: ${excerpt(kind, 100)}` }));
}

function count(words: readonly string[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([, one], [, other]) => other - one));
}

function listCounts(counts: Record<string, number>): string {
  return Object.entries(counts)
    .slice(0, 10)
    .map(([word, times]) => `${word} ${times}`)
    .join(", ");
}
