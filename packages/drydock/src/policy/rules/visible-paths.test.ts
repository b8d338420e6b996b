import { expect, it } from "vitest";
import { createPathRules } from "./path-rules.ts";

const files = { access: true, write: ["**"], protect: [], hide: ["**/.env"] };
const hides = (visible: string[]) => {
  const { hidden } = createPathRules({ files }, visible);
  return { file: (path: string) => hidden(path), directory: (path: string) => hidden(path, true) };
};

it("shows what the patterns name and the directories that lead there, and nothing else", () => {
  const { file, directory } = hides(["data/**/*.csv", "README.md"]);
  expect([directory("data"), directory("data/2026"), file("data/2026/a.csv"), file("README.md")]).toEqual(
    Array(4).fill(false),
  );
  expect([directory("src"), file("data/notes.txt"), file("data"), file("src/README.md")]).toEqual(Array(4).fill(true));
});

it("takes a plain name for all that is below it", () => {
  const { file, directory } = hides(["docs", "out/"]);
  expect([directory("docs"), file("docs/a/b.md"), directory("out"), file("out/x")]).toEqual(Array(4).fill(false));
  expect(file("docsx")).toBe(true);
});

it("does not show what the policy hides", () => {
  const { file } = hides(["**"]);
  expect(file("a/.env")).toBe(true);
  expect(file("a/b")).toBe(false);
});

it("shows what git keeps only to who asks for everything or for that", () => {
  expect(hides(["**/*.py"]).directory(".git")).toBe(true);
  expect(hides(["**"]).directory(".git")).toBe(false);
  expect(hides([".git/**"]).file(".git/config")).toBe(false);
});
