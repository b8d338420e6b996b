/** What is known of all values that stand at one place, over every element of the lists on the way. */
export interface ValuePath {
  /** `users[].name`; empty for the whole. */
  path: string;
  count: number;
  types: Map<JsonType, number>;
  /** Of objects: in how many each key is. */
  keys: Map<string, ValuePath>;
  /** Of lists: their elements. */
  items: ValuePath | null;
  /** Too many keys to be names: they are data, and their values are taken together. */
  entries: ValuePath | null;
  shortest: number;
  longestList: number;
  numbers: { value: number; at: string }[];
  strings: { length: number; at: string; head: string }[];
  /** The elements of lists that say the same as one before. */
  repeated: number;
  rows: number;
}

export type JsonType = "null" | "boolean" | "integer" | "number" | "string" | "array" | "object";

export interface ValueSurvey {
  root: ValuePath;
  values: number;
  depth: number;
  /** Not all was looked at. */
  bounded: boolean;
  /** Of rows that were compared with each other. */
  rowChars: number;
}

const MAX_VALUES = 200_000;
const MAX_DEPTH = 64;
const MAX_KEYS = 200;
const MAX_SAMPLES = 20_000;
/** Rows beyond this many are not compared with each other. */
const MAX_ROWS = 20_000;
/** Rows lie within rows: each level would write all of those below it again. */
const MAX_ROW_CHARS = 32_000_000;

export function typeOf(value: unknown): JsonType {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  if (typeof value === "boolean" || typeof value === "string") return typeof value as "boolean" | "string";
  return "object";
}

/** Goes through a value once, within bounds. */
export function surveyValue(value: unknown): ValueSurvey {
  const survey: ValueSurvey = { root: newPlace(""), values: 0, depth: 0, bounded: false, rowChars: 0 };
  visit(value, survey.root, "", 1, survey);
  return survey;
}

function visit(value: unknown, place: ValuePath, at: string, depth: number, survey: ValueSurvey): void {
  if (survey.values >= MAX_VALUES || depth > MAX_DEPTH) {
    survey.bounded = true;
    return;
  }
  survey.values += 1;
  survey.depth = Math.max(survey.depth, depth);
  const type = typeOf(value);
  place.count += 1;
  place.types.set(type, (place.types.get(type) ?? 0) + 1);
  if (typeof value === "number" && place.numbers.length < MAX_SAMPLES) place.numbers.push({ value, at });
  if (typeof value === "string" && place.strings.length < MAX_SAMPLES) {
    place.strings.push({ length: value.length, at, head: value.slice(0, 60) });
  }
  if (Array.isArray(value)) visitList(value, place, at, depth, survey);
  else if (typeof value === "object" && value !== null) visitObject(value, place, at, depth, survey);
}

function visitList(list: readonly unknown[], place: ValuePath, at: string, depth: number, survey: ValueSurvey): void {
  place.items ??= newPlace(`${place.path}[]`);
  place.shortest = Math.min(place.shortest, list.length);
  place.longestList = Math.max(place.longestList, list.length);
  const seen = new Set<string>();
  for (const [index, item] of list.entries()) {
    visit(item, place.items, `${at}[${index}]`, depth + 1, survey);
    if (survey.values >= MAX_VALUES) {
      survey.bounded ||= index < list.length - 1;
      break;
    }
    if (typeof item !== "object" || item === null || index >= MAX_ROWS || depth > MAX_DEPTH / 2) continue;
    if (survey.rowChars > MAX_ROW_CHARS) continue;
    const text = writeRow(item);
    survey.rowChars += text?.length ?? 0;
    place.rows += 1;
    if (text === null) continue;
    if (seen.has(text)) place.repeated += 1;
    else seen.add(text);
  }
}

function visitObject(object: object, place: ValuePath, at: string, depth: number, survey: ValueSurvey): void {
  const entries = Object.entries(object);
  const isMap = place.entries !== null || entries.length > MAX_KEYS || place.keys.size > MAX_KEYS;
  if (isMap) place.entries ??= newPlace(`${place.path}{}`);
  for (const [key, inner] of entries) {
    if (survey.values >= MAX_VALUES) {
      survey.bounded = true;
      break;
    }
    const path = place.path === "" ? key : `${place.path}.${key}`;
    let child = place.entries;
    if (child === null) {
      child = place.keys.get(key) ?? newPlace(path);
      place.keys.set(key, child);
    }
    visit(inner, child, at === "" ? key : `${at}.${key}`, depth + 1, survey);
  }
}

/** Null where it is nested too deeply to be written. */
function writeRow(value: object): string | null {
  try {
    return JSON.stringify(value);
  } catch {
    return null;
  }
}

function newPlace(path: string): ValuePath {
  return {
    path,
    count: 0,
    types: new Map(),
    keys: new Map(),
    items: null,
    entries: null,
    shortest: Number.POSITIVE_INFINITY,
    longestList: 0,
    numbers: [],
    strings: [],
    repeated: 0,
    rows: 0,
  };
}

/** Every place, outer ones first. */
export function listPlaces(root: ValuePath): ValuePath[] {
  const inner = [...root.keys.values(), ...(root.items ? [root.items] : []), ...(root.entries ? [root.entries] : [])];
  return [root, ...inner.flatMap(listPlaces)];
}
