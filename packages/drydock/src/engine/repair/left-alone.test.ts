import { expect, it } from "vitest";
import { describeLeftAlone } from "./left-alone.ts";

it("names the files that are not changed, and what to do", () => {
  expect(describeLeftAlone({ generated: ["dist/a.js", "dist/b.js", "dist/c.js"], large: [] }, "All")).toBe(
    "All files in scope are generated (dist/a.js, dist/b.js and 1 more). Edits would be lost: put the original source in scope.",
  );
  expect(describeLeftAlone({ generated: [], large: [] }, "All")).toBeNull();
});

it("does not say of several reasons that each holds for all files", () => {
  const text = describeLeftAlone({ large: ["a.py"], encoding: ["b.py"] }, "All");
  expect(text).toMatch(
    /^Some files in scope are larger than 2 MB \(a\.py\)\..* Some files in scope are not in UTF-8 \(b\.py\)/,
  );
});
