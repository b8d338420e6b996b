import { describeValue } from "./describe-value.ts";
import { refuseDepth } from "./refuse-depth.ts";
import { refuseInput, showText } from "./refuse-input.ts";

/** A response as far as templates can see it. */
export interface FilledResponse {
  text: string;
}

type Step = string | number;

interface Reference {
  /** As it was written. */
  source: string;
  /** 0 is the last response. */
  index: number;
  field: "text" | "json";
  path: Step[];
}

const TEMPLATE = /(\\?)(\{\{\s{0,20}(?:last|history)\b[^{}\n]{0,1000}\}\})/g;
const HEAD = /^(?:last|history\s*\[\s*(\d{1,4})\s*\])\s*/;
const STEP =
  /^(?:\.\s*([\p{L}_$][\p{L}\p{N}_$-]*)|\[\s*(\d{1,9})\s*\]|\[\s*"([^"\\]*)"\s*\]|\[\s*'([^'\\]*)'\s*\])\s*/u;
const MAX_BACK = 100;
/** Each may stand for a megabyte, and be looked for in one. */
const MAX_REFERENCES = 100;
const AS_IN = "As in {{ last.text }}, {{ last.json.items[0].name }} or {{ history[1].json }}; 0 is the last response.";

export function hasTemplate(value: unknown): boolean {
  if (typeof value === "string") return value.includes("{{") && value.search(TEMPLATE) >= 0;
  return typeof value === "object" && value !== null && Object.values(value).some(hasTemplate);
}

/** One template and nothing beside it. */
export function isTemplate(text: string): boolean {
  return text.replace(TEMPLATE, "") === "" && findReferences(text).length === 1;
}

/** Which responses a value refers to, 0 being the last one. DrydockError where one can't be read, or there are too many. */
export function listResponses(value: unknown): Set<number> {
  const references = listReferences(value);
  if (references.length > MAX_REFERENCES) {
    const hint = `A call can use ${MAX_REFERENCES}; a pipe passes a whole response on.`;
    throw refuseInput(`There are ${references.length} references to responses.`, hint);
  }
  return new Set(references.map(({ index }) => index));
}

function listReferences(value: unknown): Reference[] {
  if (typeof value === "string") return findReferences(value);
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(listReferences) : [];
}

function findReferences(text: string): Reference[] {
  return [...text.matchAll(TEMPLATE)]
    .filter(([, backslash]) => backslash === "")
    .map((match) => readReference(match[2] ?? ""));
}

/**
 * The value with what its templates stand for, in one pass: what comes out of a response is never read as a template.
 * One that is a single template keeps the type of what it stands for. `\{{ last.text }}` is left as it is, without the `\`.
 */
export function fillValue(value: unknown, responses: readonly FilledResponse[]): unknown {
  if (Array.isArray(value)) return value.map((item) => fillValue(item, responses));
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, fillValue(item, responses)]));
  }
  if (typeof value !== "string" || !hasTemplate(value)) return value;
  if (isTemplate(value)) return lookUp(readReference(value), responses);
  return value.replace(TEMPLATE, (_all, backslash: string, source: string) =>
    backslash === "" ? toText(lookUp(readReference(source), responses)) : source,
  );
}

/** What a value is in the middle of a text. */
export function toText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function readReference(source: string): Reference {
  const inner = source.slice(2, -2).trim();
  const head = HEAD.exec(inner);
  if (!head) throw unreadable(source);
  const index = Number(head[1] ?? 0);
  if (index >= MAX_BACK)
    throw refuseInput(`${source} goes too far back.`, `The last ${MAX_BACK} responses can be used.`);
  const steps: Step[] = [];
  let rest = inner.slice(head[0].length);
  while (rest !== "") {
    const step = STEP.exec(rest);
    if (!step) throw unreadable(source);
    steps.push(step[2] === undefined ? (step[1] ?? step[3] ?? step[4] ?? "") : Number(step[2]));
    rest = rest.slice(step[0].length);
  }
  const [field = "text", ...path] = steps;
  if (field === "json") return { source, index, field, path };
  if (field === "text" && path.length === 0) return { source, index, field, path };
  throw unreadable(source);
}

function unreadable(source: string) {
  return refuseInput(`${showText(source)} can't be read.`, AS_IN);
}

function lookUp({ source, index, field, path }: Reference, responses: readonly FilledResponse[]): unknown {
  const response = responses[index];
  if (!response) {
    const there = ["is none yet", "is one", `are ${responses.length}`][Math.min(responses.length, 2)];
    throw refuseInput(`${source}: there is no such response in this session; there ${there}.`, AS_IN);
  }
  if (field === "text") return response.text;
  let value = parseOnce(response, source);
  let reached = "json";
  for (const step of path) {
    const next = takeStep(value, step);
    if (!next) {
      const wanted = typeof step === "number" ? `[${step}]` : step;
      const hint = `${reached} is ${describeValue(value)}.`;
      throw refuseInput(`${source}: there is no ${showText(wanted)} in ${reached}.`, hint);
    }
    value = next.value;
    reached += typeof step === "number" ? `[${step}]` : `.${step}`;
  }
  refuseDepth(source, value);
  return value;
}

const parsed = new WeakMap<FilledResponse, unknown>();

/** A value may speak of one response many times. */
function parseOnce(response: FilledResponse, source: string): unknown {
  if (!parsed.has(response)) parsed.set(response, parseJson(response.text, source));
  return parsed.get(response);
}

function parseJson(text: string, source: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw refuseInput(
      `${source}: the response is not valid JSON.`,
      `It begins with ${JSON.stringify(showText(text.trimStart()))}; {{ last.text }} is its text.`,
    );
  }
}

/** Only what the JSON itself holds: nothing that objects have by birth. */
function takeStep(value: unknown, step: Step): { value: unknown } | null {
  if (typeof value !== "object" || value === null) return null;
  if (Array.isArray(value)) return typeof step === "number" && step < value.length ? { value: value[step] } : null;
  return Object.hasOwn(value, step) ? { value: (value as Record<Step, unknown>)[step] } : null;
}
