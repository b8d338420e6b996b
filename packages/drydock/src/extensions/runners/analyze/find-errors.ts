import { type AnalysisFinding, excerpt } from "./analysis-finding.ts";

const MAX_FINDINGS = 20;
const MAX_VALUES = 200_000;
const MAX_DEPTH = 64;
const ERROR_KEY =
  /^(errors?|err|exceptions?|faults?|failures?|failed|error_?(code|message|description|type)|stack_?trace)$/i;
const SUCCESS_KEY = /^(ok|success|succeeded|is_?valid)$/i;
const STATUS_KEY = /^(status|status_?code|http_?(status|code)|code)$/i;
const WORDY_KEYS = ["message", "detail", "description", "title", "reason", "hint"];

/** Fields that say that something went wrong. */
export function findErrorFields(value: unknown): AnalysisFinding[] {
  const found: AnalysisFinding[] = [];
  const open: { value: unknown; at: string; depth: number }[] = [{ value, at: "", depth: 1 }];
  for (let visited = 0; visited < MAX_VALUES && found.length < MAX_FINDINGS; visited++) {
    const next = open.pop();
    if (!next) break;
    if (typeof next.value !== "object" || next.value === null || next.depth > MAX_DEPTH) continue;
    const isList = Array.isArray(next.value);
    const inner: typeof open = [];
    const room = MAX_VALUES - visited - open.length;
    for (const [key, child] of listEntries(next.value, room)) {
      const at = isList ? `${next.at}[${key}]` : next.at === "" ? key : `${next.at}.${key}`;
      const message = isList ? null : describeField(key, child, next.value);
      // The fields of an error object are reported with it.
      if (message === null) inner.push({ value: child, at, depth: next.depth + 1 });
      else found.push({ kind: "error", at, message });
    }
    for (const each of inner.reverse()) open.push(each);
  }
  return found.slice(0, MAX_FINDINGS);
}

function listEntries(value: object, most: number): [key: string, value: unknown][] {
  if (Array.isArray(value)) return value.slice(0, Math.max(most, 0)).map((item, index) => [String(index), item]);
  return Object.entries(value);
}

function describeField(key: string, value: unknown, holder: object): string | null {
  if (ERROR_KEY.test(key) && saysSomething(value)) return excerpt(wordsOf(value));
  if (SUCCESS_KEY.test(key) && value === false) return withWords(`${key} is false`, holder);
  if (STATUS_KEY.test(key) && typeof value === "number" && value >= 400 && value <= 599) {
    return withWords(`${value}`, holder);
  }
  return null;
}

function withWords(text: string, holder: object): string {
  const words = wordsIn(holder);
  return words === "" ? text : `${text}: ${excerpt(words)}`;
}

function wordsOf(value: unknown): string {
  if (typeof value !== "object" || value === null) return String(value);
  const words = wordsIn(value);
  return words === "" ? (JSON.stringify(value) ?? "").slice(0, 300) : words;
}

function wordsIn(holder: object): string {
  const texts = WORDY_KEYS.map((key) => Reflect.get(holder, key)).filter((each) => typeof each === "string");
  return texts.slice(0, 2).join(": ");
}

function saysSomething(value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === "" || value === 0) return false;
  return typeof value !== "object" || Object.keys(value).length > 0;
}

/** What the runner that fetched it said: a status of HTTP, an exit status, what a tool wrote beside its output. */
export function findErrorsInMetadata(metadata: Readonly<Record<string, unknown>>): AnalysisFinding[] {
  return Object.entries(metadata).flatMap(([key, value]): AnalysisFinding[] => {
    if (key === "stderr" && typeof value === "string") {
      const status = /^HTTP(?:\/\S+)? (\d{3})\b/m.exec(value)?.[1];
      return status === undefined ? [] : findBadStatus(Number(status));
    }
    if (typeof value !== "number") return [];
    if (/^(http_?)?status(_?code)?$/i.test(key)) return findBadStatus(value);
    return /^exit_?code$/i.test(key) && value !== 0 ? [{ kind: "exit", at: "", message: `exit status ${value}` }] : [];
  });
}

function findBadStatus(status: number): AnalysisFinding[] {
  if (status < 400) return [];
  const whose = status >= 500 ? "the server's fault" : "the request was refused";
  return [{ kind: "http", at: "", message: `HTTP status ${status} (${whose})` }];
}

const TRACE_START =
  /^(Traceback \(most recent call last\)|panic: |Exception in thread|Caused by: |Unhandled |.*\bUncaught )/;
const TRACE_LINE = /^\s+(at \S.*:\d+\)?$|File ".*", line \d+)/;
const ERROR_LINE =
  /\b(error|fatal|exception|panic|traceback|failed|failure|denied|refused|timed? ?out|not found|cannot|can't|unable to)\b/i;

/** Lines that speak of errors, and stack traces. */
export function findErrorLines(lines: readonly string[]): {
  findings: AnalysisFinding[];
  errorLines: number;
  traces: number;
} {
  const findings: AnalysisFinding[] = [];
  let errorLines = 0;
  let traces = 0;
  let inTrace = false;
  for (const [index, full] of lines.entries()) {
    const line = full.slice(0, 1000);
    const isFrame = TRACE_LINE.test(line);
    const starts: boolean = TRACE_START.test(line) || (isFrame && !inTrace);
    if (starts && !inTrace) traces += 1;
    inTrace = starts || isFrame || (inTrace && /^\s/.test(line));
    if (isFrame || !ERROR_LINE.test(line)) continue;
    errorLines += 1;
    if (findings.length < 8) findings.push({ kind: "line", at: `line ${index + 1}`, message: excerpt(line) });
  }
  return { findings, errorLines, traces };
}
