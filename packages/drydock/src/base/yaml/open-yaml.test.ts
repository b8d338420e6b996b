import { describe, expect, it } from "vitest";
import { findAlias } from "./find-alias.ts";
import { findOffset } from "./find-offset.ts";
import { openYaml } from "./open-yaml.ts";

function open(text: string) {
  const opened = openYaml(text);
  if (!opened.ok) throw new Error("it is broken");
  return opened;
}

describe("openYaml", () => {
  it.each<[name: string, text: string, problem: RegExp, position: object]>([
    ["a tab", "a:\n\tb: 1\n", /tab/, { line: 2, column: 1 }],
    ["a second document", "a: 1\n---\nb: 1\n", /second YAML document/, { line: 2, column: 1 }],
    ["a broken second document", "a: 1\n---\nb: [1\n", /no closing \]/, { line: 4, column: 1 }],
    ["ten thousand levels", "[".repeat(10_000) + "]".repeat(10_000), /nested too deeply/, expect.anything()],
  ])("says where and what is wrong: %s", (_name, text, problem, position) => {
    const opened = openYaml(text);
    expect(opened.ok ? [] : opened.problems.slice(0, 1)).toEqual([
      { key: "", message: expect.stringMatching(problem), hint: expect.any(String), position },
    ]);
  });

  it("takes a text that holds nothing", () => {
    expect(open("# only a comment\n").document?.toJS() ?? null).toBeNull();
    expect(open("").document?.toJS() ?? null).toBeNull();
  });

  it("finds a key, an entry of a list, and what is nearest above what is missing", () => {
    const { document, positionAt } = open("# first\na:\n  - x: 1\n  - y: 2\n");
    const place = (path: PropertyKey[]) => {
      const offset = findOffset(document, path);
      return offset === null ? null : positionAt(offset);
    };
    expect(place(["a"])).toEqual({ line: 2, column: 1 });
    expect(place(["a", 1])).toEqual({ line: 4, column: 5 });
    expect(place(["a", 1, "y"])).toEqual({ line: 4, column: 5 });
    expect(place(["a", 1, "z", "deeper"])).toEqual({ line: 4, column: 5 });
    expect(place(["b"])).toBeNull();
  });

  it("finds the first alias", () => {
    const { document, positionAt } = open("a: &n [1]\nb: *n\n");
    expect(positionAt(findAlias(document) ?? -1)).toEqual({ line: 2, column: 4 });
    expect(findAlias(open("a: 1\n").document)).toBeNull();
  });
});
