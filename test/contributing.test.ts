import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readRecipes } from "./additions/read-recipes.ts";

const root = join(import.meta.dirname, "..");
const PRODUCT = "packages/drydock/src";
const page = readFileSync(join(root, "docs/contributing.md"), "utf8");

describe("the page on where a change goes", () => {
  const recipes = readRecipes(page);

  it("has a section for each kind of addition", () => {
    expect(recipes.map(({ title }) => title)).toEqual([
      "A limit of a run",
      "A check type",
      "An error code",
      "A capability runner",
      "A table of the ledger",
      "An HTTP endpoint",
      "A page of the console",
      "A command of the command line",
      "A model provider",
      "A wire protocol of models",
      "A sandbox backend",
      "A type of event source",
    ]);
  });

  it.each(recipes)("names files that exist: $title", ({ files }) => {
    expect(files.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it.each(recipes)("says how many files that are: $title", ({ files, count }) => {
    expect(files).toHaveLength(count);
  });

  it.each(recipes)("keeps it within five files: $title", ({ count }) => {
    expect(count).toBeLessThanOrEqual(5);
  });

  it("finds a file that does not exist, and a wrong count", () => {
    const [recipe] = readRecipes("# Page\n\n## A thing (2 files)\n\n1. `policy/no-such-file.ts`: the first.\n");
    expect(recipe).toEqual({ title: "A thing", count: 2, files: [`${PRODUCT}/policy/no-such-file.ts`] });
  });
});
