import { DrydockError } from "@drydock/protocol";
import { findNearestWord } from "../../base/text/index.ts";

/** The options of a call. With `satisfies`, the compiler asks for those that are added. */
export type OptionNames<T> = Readonly<Record<keyof T, boolean>>;

/** Programs in JavaScript can give any option: one that is not known is refused, and not ignored. */
export function refuseUnknownOptions(names: Readonly<Record<string, boolean>>, options: object): void {
  const known = Object.keys(names);
  const unknown = Object.entries(options).find(([name, value]) => value !== undefined && !known.includes(name))?.[0];
  if (unknown === undefined) return;
  const meant = findNearestWord(unknown, known);
  const list = `The options are ${known.join(", ")}.`;
  const hint = meant ? `Did you mean ${meant}? ${list}` : list;
  throw new DrydockError("input.invalid", `There is no option ${unknown}.`, hint, { option: unknown });
}
