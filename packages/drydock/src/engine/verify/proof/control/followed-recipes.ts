import type { Observed } from "../../../../sandbox/index.ts";
import type { ExpectingFile } from "../../../mutate/index.ts";

/** Of a Makefile, what its recipes expect that were followed: those of another target can't fail. */
export function keepFollowed(file: ExpectingFile, observed: Observed | null): ExpectingFile[] {
  const run = new Set(observed?.programs.map(({ arguments: words }) => squeeze(words.at(-1) ?? "")) ?? []);
  const isFollowed = (at: number) => {
    const pattern = recipePattern(recipeAt(file.text, at));
    return [...run].some((line) => pattern.test(line));
  };
  const expectations = file.expectations.filter(({ splices }) => splices.some(({ start }) => isFollowed(start)));
  return expectations.length > 0 ? [{ ...file, expectations }] : [];
}

/** The line of a recipe to which a place in a Makefile belongs, with the lines that continue it. */
function recipeAt(text: string, at: number): string {
  const lines = [...text.matchAll(/^(?:[^\n]*\\\n)*[^\n]*$/gm)];
  const found = lines.find(({ index, 0: line }) => index <= at && at <= index + line.length)?.[0] ?? "";
  return found.replace(/^\t[@+\-\s]*/, "");
}

const VARIABLE = /\$\$|\$\([^()]*(?:\([^()]*\)[^()]*)*\)|\$\{[^}]*\}|\$./g;

/** Matches what make hands to the shell: `$$` has become `$`, and any text stands where variables stood. */
function recipePattern(recipe: string): RegExp {
  const line = squeeze(recipe);
  let pattern = "";
  let at = 0;
  for (const { 0: variable, index } of line.matchAll(VARIABLE)) {
    pattern += `${escapePattern(line.slice(at, index))}${variable === "$$" ? "\\$" : ".*"}`;
    at = index + variable.length;
  }
  return new RegExp(`^${pattern}${escapePattern(line.slice(at))}$`, "s");
}

function squeeze(line: string): string {
  return line.replace(/\\\n/g, " ").replace(/\s+/g, " ").trim();
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
