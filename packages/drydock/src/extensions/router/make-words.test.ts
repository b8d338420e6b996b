import { CommandAction, DrydockError, type ParameterValue } from "@drydock/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fillText } from "./fill-text.ts";
import { makeWords } from "./make-words.ts";
import { actionOf } from "./testing/sample-commands.ts";

const action = (args: unknown, more: object = {}) =>
  CommandAction.parse({
    name: "a",
    description: "a",
    runner: "exec.a",
    arguments: [
      { name: "x" },
      { name: "y", dash: true },
      { name: "data", type: "json" },
      { name: "list", repeat: true },
    ],
    flags: [{ name: "on", type: "boolean" }],
    args,
    ...more,
  });
const words = (args: unknown, values: Record<string, ParameterValue>, input?: string) =>
  makeWords(action(args), values, { input });

describe("a command line", () => {
  it("is made as it was declared", () => {
    const values = {
      url: "https://a.org/",
      header: ["A: b", "C"],
      timeout: 5,
      follow: true,
      format: "json",
      out: "o.txt",
    };
    expect(makeWords(actionOf("curl", "get"), values)).toEqual([
      ...[
        "--silent",
        "--location",
        "--max-time",
        "5",
        "--header",
        "A: b",
        "--header",
        "C",
        "--json-only",
        "--output=o.txt",
      ],
      ...["--", "https://a.org/"],
    ]);
    expect(
      makeWords(actionOf("curl", "get"), { url: "https://a.org/", timeout: 5, follow: false, header: [] }),
    ).toEqual([...["--silent", "--max-time", "5", "--", "https://a.org/"]]);
  });

  it("is flags by name, -- and arguments where nothing is declared", () => {
    const plain = actionOf("show", "plain");
    expect(makeWords(plain, { level: -5, tag: ["a", "-b"], all: true, file: "-f" })).toEqual([
      ...["--level=-5", "--tag=a", "--tag=-b", "--all", "--", "-f"],
    ]);
    expect(makeWords(plain, { all: false })).toEqual([]);
  });

  it.each<[name: string, args: unknown, values: Record<string, ParameterValue>, made: string[]]>([
    ["leaves out what was not given", ["a", "{{ x }}", "b={{ x }}", { when: "x", words: ["c"] }], {}, ["a"]],
    ["keeps an empty text as a word", ["{{ x }}", "b={{ x }}"], { x: "" }, ["", "b="]],
    ["keeps JSON in one word", ["{{ data }}", "d={{ data }}"], { data: [1, "a b"] }, ['[1,"a b"]', 'd=[1,"a b"]']],
    ["makes one word of each repeated value", ["{{ list }}", "end"], { list: ["a b", "c"] }, ["a b", "c", "end"]],
    [
      "tells values of a flag apart",
      [
        { when: "on", is: false, words: ["off"] },
        { when: "on", words: ["on"] },
      ],
      { on: false },
      ["off"],
    ],
    ["fills no value a second time", ["{{ x }}"], { x: "{{ y }}", y: "z" }, ["{{ y }}"]],
    ["knows the value of when", [{ when: "x", words: ["-f", "<{{ value }}>"] }], { x: "1" }, ["-f", "<1>"]],
    [
      "spreads the values of when",
      [{ when: "list", words: ["-f", "{{ value }}"] }],
      { list: ["1", "2"] },
      ["-f", "1", "2"],
    ],
    ["takes a text that only looks like a template", ["{{ x }} {{", "}}"], { x: "1" }, ["1 {{", "}}"]],
    ["lets a dash stand where it was declared", ["{{ y }}"], { y: "-v" }, ["-v"]],
    ["lets a dash stand after --", ["--", "{{ x }}"], { x: "-v" }, ["--", "-v"]],
    ["lets a dash stand behind other text", ["--x={{ x }}"], { x: "-v" }, ["--x=-v"]],
  ])("%s", (_name, args, values, made) => {
    expect(words(args, values)).toEqual(made);
  });

  it("knows what was piped in", () => {
    expect(words(["<{{ input }}>"], {}, "a b")).toEqual(["<a b>"]);
    expect(words(["{{ input }}"], {})).toEqual([]);
    expect(fillText("{{ input }}/{{x}}/{{ z }}", { x: 1 }, { input: "{{ x }}" })).toBe("{{ x }}/1/");
  });

  it.each<[name: string, args: unknown, values: Record<string, ParameterValue>, input?: string]>([
    ["a value", ["{{ x }}"], { x: "--output=/etc/x" }],
    ["a value behind an empty one", ["{{ y }}{{ x }}"], { y: "", x: "-v" }],
    ["one of many", ["{{ list }}"], { list: ["a", "-v"] }],
    ["one of each", [{ each: "list", words: ["-f", "{{ value }}"] }], { list: ["-v"] }],
    ["the value of when", [{ when: "x", words: ["{{ value }}"] }], { x: "-v" }],
    ["a number", ["{{ data }}"], { data: -5 }],
    ["what was piped in", ["{{ input }}"], {}, "-v"],
    ["a value that is --, before another", ["{{ y }}", "{{ x }}"], { y: "--", x: "-v" }],
    ["a value before the end of options", ["{{ x }}", "--"], { x: "-v" }],
    ["a value after an end that is not there", [{ when: "on", words: ["--"] }, "{{ x }}"], { x: "-v" }],
  ])("holds no option that a value made: %s", (_name, args, values, input) => {
    expect(() => words(args, values, input)).toThrow(expect.objectContaining({ code: "input.invalid" }));
  });

  it("holds no more than the system takes, and no NUL", () => {
    expect(words(["--", "{{ x }}"], { x: "é".repeat(65_535) })).toHaveLength(2);
    for (const x of ["é".repeat(65_536), "a\0b"]) expect(() => words(["--", "{{ x }}"], { x })).toThrow(DrydockError);
    const many = Array.from({ length: 20 }, () => "x".repeat(100_000));
    expect(() => words(["{{ list }}"], { list: many })).toThrow(expect.objectContaining({ code: "input.invalid" }));
  });

  it("refuses a list in the middle of a word as a fault of the extension", () => {
    expect(() => words(["a{{ list }}"], { list: ["b"] })).toThrow(
      expect.objectContaining({ code: "extension.invalid" }),
    );
  });

  it("has as many words as were declared, whatever the values hold", () => {
    const text = fc.string({ unit: "binary" }).filter((each) => !each.includes("\0"));
    fc.assert(
      fc.property(text, text, fc.array(text, { maxLength: 4 }), (x, y, list) => {
        const made = words(["a", "--", "{{ x }}", "y={{ y }}", { each: "list", words: ["-l", "{{ value }}"] }], {
          x,
          y,
          list,
        });
        expect(made).toEqual(["a", "--", x, `y=${y}`, ...list.flatMap((item) => ["-l", item])]);
      }),
      { numRuns: 1000 },
    );
  });

  it("never has a word before -- that begins with a dash and was not declared so", () => {
    const text = fc.string({ unit: fc.constantFrom("-", "a", " ", "="), maxLength: 5 });
    fc.assert(
      fc.property(text, fc.array(text, { maxLength: 3 }), (x, list) => {
        try {
          const made = words(["{{ x }}", "{{ x }}{{ x }}", { each: "list", words: ["{{ value }}"] }], { x, list });
          expect(made.filter((word) => word.startsWith("-"))).toEqual([]);
        } catch (error) {
          expect(error).toMatchObject({ code: "input.invalid" });
          expect([x, ...list].some((each) => each.startsWith("-"))).toBe(true);
        }
      }),
    );
  });
});
