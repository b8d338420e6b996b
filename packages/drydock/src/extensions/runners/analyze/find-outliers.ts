import { countWord } from "@drydock/protocol";
import { type AnalysisFinding, excerpt } from "./analysis-finding.ts";
import { listPlaces, type ValuePath, type ValueSurvey } from "./survey-value.ts";

const MIN_NUMBERS = 8;
const MAX_FINDINGS = 20;
/** A normal distribution's standard deviation is this many times its median absolute deviation. */
const MAD_TO_SIGMA = 1.4826;
const NAMED = 3;

/** Numbers far from the others, keys and types that only some have, texts that are much longer, rows that repeat. */
export function findOutliers({ root }: ValueSurvey): AnalysisFinding[] {
  const places = listPlaces(root);
  const found = [findFarNumbers, findUnevenKeys, findOddTypes, findLongTexts, findRepeatedRows].flatMap((find) =>
    places.flatMap((place) => find(place)),
  );
  return found.slice(0, MAX_FINDINGS);
}

/** Beyond three (scaled) median absolute deviations of the median: a few extreme values do not hide themselves. */
function findFarNumbers({ path, numbers }: ValuePath): AnalysisFinding[] {
  if (numbers.length < MIN_NUMBERS) return [];
  const median = medianOf(numbers.map(({ value }) => value));
  const spread = medianOf(numbers.map(({ value }) => Math.abs(value - median))) * MAD_TO_SIGMA;
  if (!(spread > 0)) return [];
  const far = numbers
    .map(({ value, at }) => ({ value, at, score: Math.abs(value - median) / spread }))
    .filter(({ score }) => score > 3)
    .sort((one, other) => other.score - one.score);
  if (far.length === 0 || far.length > numbers.length / 4) return [];
  const named = far.slice(0, NAMED).map(({ value, at }) => `${value} at ${at}`);
  const more = far.length > NAMED ? ` and ${far.length - NAMED} more` : "";
  const usual = `the median of ${numbers.length} is ${round(median)}`;
  return [{ kind: "number", at: path, message: `${named.join(", ")}${more}: far from the others (${usual})` }];
}

function findUnevenKeys({ path, keys, types, count }: ValuePath): AnalysisFinding[] {
  const objects = types.get("object") ?? 0;
  if (objects < 2 || count < 2) return [];
  return [...keys].flatMap(([key, place]): AnalysisFinding[] => {
    const share = place.count / objects;
    if (share === 1) return [];
    const at = path === "" ? key : `${path}.${key}`;
    const absent = objects - place.count;
    if (share >= 0.5) return [{ kind: "missing", at, message: `missing in ${absent} of ${objects}` }];
    if (share <= 0.1) return [{ kind: "rare", at, message: `only in ${place.count} of ${objects}` }];
    return [];
  });
}

function findOddTypes({ path, types, count }: ValuePath): AnalysisFinding[] {
  const all = [...types].filter(([type]) => type !== "number" || !types.has("integer"));
  if (all.length < 2 || count < 2) return [];
  const [main, ...others] = all.sort(([, one], [, other]) => other - one);
  if (!main) return [];
  const words = others.map(([type, times]) => `${times} ${type}`).join(", ");
  return [{ kind: "type", at: path, message: `${main[0]} in most of ${count}, but ${words}` }];
}

function findLongTexts({ path, strings }: ValuePath): AnalysisFinding[] {
  if (strings.length < MIN_NUMBERS) return [];
  const median = medianOf(strings.map(({ length }) => length));
  const longest = strings.reduce((one, other) => (other.length > one.length ? other : one));
  if (longest.length < 100 || longest.length < median * 10) return [];
  const { at, length, head } = longest;
  const usual = `the median is ${round(median)}`;
  return [{ kind: "long", at: path, message: `${length} characters at ${at} (${usual}): “${excerpt(head, 50)}”` }];
}

function findRepeatedRows({ path, repeated, rows }: ValuePath): AnalysisFinding[] {
  if (repeated === 0) return [];
  return [
    { kind: "duplicate", at: path, message: `${countWord(repeated, "element")} of ${rows} repeat an earlier one` },
  ];
}

function medianOf(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort();
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}

function round(value: number): number {
  return Number(value.toPrecision(6));
}
