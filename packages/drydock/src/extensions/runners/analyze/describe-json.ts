import { countWord } from "@drydock/protocol";

import { listPlaces, type ValuePath, type ValueSurvey } from "./survey-value.ts";

const MAX_FIELDS = 60;

/** One place of the data, as a program can use it. */
export interface Field {
  path: string;
  types: Record<string, number>;
  /** How many of the objects that could have it do; 1 for all of them. */
  share: number;
  /** Of lists. */
  length?: [number, number];
  /** Of numbers. */
  range?: [number, number];
}

/** Types, nesting, counts, and which keys there are how often. */
export function describeJson({ root, values, depth, bounded }: ValueSurvey): { shape: string[]; fields: Field[] } {
  const shares = new Map<ValuePath, number>([[root, 1]]);
  const fields: Field[] = [];
  for (const place of listPlaces(root)) {
    const objects = place.types.get("object") ?? 0;
    for (const child of place.keys.values()) shares.set(child, objects === 0 ? 0 : child.count / objects);
    if (place !== root && fields.length < MAX_FIELDS) fields.push(toField(place, shares.get(place) ?? 1));
  }
  const shape = [
    `${describeRoot(root)}; ${countWord(values, "value")}, ${countWord(depth, "level")} deep`,
    ...(bounded ? ["it is larger or deeper than what is looked at: what follows is of its first part"] : []),
  ];
  return { shape, fields };
}

export function writeField({ path, types, share, length, range }: Field): string {
  const words = Object.keys(types).join(" or ");
  const extra = [
    ...(length ? [length[0] === length[1] ? `${length[0]} each` : `${length[0]} to ${length[1]} each`] : []),
    ...(range ? [range[0] === range[1] ? `${range[0]}` : `${range[0]} to ${range[1]}`] : []),
    ...(share < 1 ? [`in ${Math.round(share * 1000) / 10} %`] : []),
  ];
  return `${path}: ${words}${extra.length > 0 ? ` (${extra.join(", ")})` : ""}`;
}

function describeRoot(root: ValuePath): string {
  const [type = "nothing"] = root.types.keys();
  if (type === "array") return `a list of ${root.longestList}${root.items?.count ? ` (${typesOf(root.items)})` : ""}`;
  if (type === "object") return `an object with ${countWord(root.entries?.count ?? root.keys.size, "key")}`;
  return `one ${type}`;
}

function typesOf(place: ValuePath): string {
  return [...place.types.keys()].join(", ");
}

function toField(place: ValuePath, share: number): Field {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { value } of place.numbers) [least, most] = [Math.min(least, value), Math.max(most, value)];
  return {
    path: place.path,
    types: Object.fromEntries(place.types),
    share,
    ...(place.types.has("array") ? { length: [place.shortest, place.longestList] as [number, number] } : {}),
    ...(place.numbers.length > 0 ? { range: [least, most] as [number, number] } : {}),
  };
}
