import { execFileSync } from "node:child_process";
import { DrydockError } from "@drydock/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { quoteWord, scanWords, splitWords } from "./split-words.ts";

const texts = (line: string) => splitWords(line).map((words) => words.map(({ text }) => text));

function fault(line: string) {
  try {
    splitWords(line);
  } catch (error) {
    if (error instanceof DrydockError) return error.toInfo();
    throw error;
  }
  throw new Error(`It was split: ${line}`);
}

describe("a line", () => {
  it.each<[line: string, commands: string[][]]>([
    ["/curl get https://a.org/?x=1&y=2;z#f", [["/curl", "get", "https://a.org/?x=1&y=2;z#f"]]],
    [`/a 'b c' "d e" f\\ g`, [["/a", "b c", "d e", "f g"]]],
    [`/a --header="A: b"'c'd`, [["/a", "--header=A: bcd"]]],
    [`/a "" ''`, [["/a", "", ""]]],
    [`/a "\\$x \\" \\\\ \\n" '\\n' \\'`, [["/a", '$x " \\ \\n', "\\n", "'"]]],
    [
      "/a $(rm) `id` $HOME ~ * ? [a] {b,c} !x #y",
      [["/a", "$(rm)", "`id`", "$HOME", "~", "*", "?", "[a]", "{b,c}", "!x", "#y"]],
    ],
    ["/a x; rm -rf y", [["/a", "x;", "rm", "-rf", "y"]]],
    ["/a b | /c d|/e", [["/a", "b"], ["/c", "d"], ["/e"]]],
    [`/jq '.a | .b' "x|y" z\\|`, [["/jq", ".a | .b", "x|y", "z|"]]],
    ["/a 'x\ny' \"z\nw\"", [["/a", "x\ny", "z\nw"]]],
    ["/a \\\n  b\\\nc\n", [["/a", "bc"]]],
    ["/a {{ last.json.x }}/{{history[1].text}} b", [["/a", "{{ last.json.x }}/{{history[1].text}}", "b"]]],
    ["/a {{ other }}", [["/a", "{{", "other", "}}"]]],
    ["  /a\t\tb  ", [["/a", "b"]]],
    ["", [[]]],
  ])("%j", (line, commands) => {
    expect(texts(line)).toEqual(commands);
  });

  it("says where each word stands", () => {
    expect(splitWords(`/a  'b c'|/d`)).toEqual([
      [
        { text: "/a", start: 0, end: 2, isBare: true },
        { text: "b c", start: 4, end: 9, isBare: false },
      ],
      [{ text: "/d", start: 10, end: 12, isBare: true }],
    ]);
  });

  it.each<[line: string, line_: number, column: number, message: string]>([
    [`/a 'b`, 1, 4, "single quote"],
    [`/a 'b c' "d`, 1, 10, "double quote"],
    [`/a 'é\n' "d`, 2, 3, "double quote"],
    ["/a b\\", 1, 5, "backslash"],
    ["/a b\n/c", 1, 5, "broken"],
    ["/a b\r\nrm", 1, 5, "broken"],
    ["/a > file", 1, 4, "> does nothing here"],
    ["/a && /b", 1, 4, "&& does nothing"],
    ["/a x 2>&1", 1, 6, "2>&1 does nothing"],
    ["/a ; /b", 1, 4, "; does nothing"],
    ["/a || /b", 1, 4, "command is missing"],
    ["| /a", 1, 1, "command is missing"],
    ["/a |", 1, 4, "command is missing"],
  ])("%j is refused, with its place", (line, row, column, message) => {
    expect(fault(line)).toMatchObject({
      code: "input.invalid",
      line: row,
      column,
      message: expect.stringContaining(message),
    });
  });

  it("may hold operators that are quoted", () => {
    expect(texts(`/a '>' "&&" \\;`)).toEqual([["/a", ">", "&&", ";"]]);
  });

  it("has bounds: a megabyte is split, more is refused, and so are words without number", () => {
    const long = `/a '${"x".repeat(1_000_000)}'`;
    expect(texts(long)[0]?.[1]).toHaveLength(1_000_000);
    expect(texts(`/a${" {{last".repeat(100_000)}`.slice(0, 60_000))[0]?.length).toBeGreaterThan(8000);
    expect(texts(`/a${" b".repeat(9_999)}`)[0]).toHaveLength(10_000);
    expect(fault(`/a${" b".repeat(10_000)}`).message).toContain("10001 words");
    expect(fault("x".repeat(1_048_577)).message).toContain("1048577 characters");
    for (const text of ["\\", "'", '"', "{{", "{{last ", "|", "\\\n", " "]) {
      expect(() => scanWords(text.repeat(100_000))).not.toThrow();
    }
  });
});

const anyText = fc.string({ unit: "binary", maxLength: 40 }).map((text) => text.toWellFormed());
const nasty = fc.string({
  unit: fc.constantFrom("'", '"', "\\", "|", " ", "\n", "$", "`", "-", "{", "}", "a", ";"),
  maxLength: 20,
});

describe("quoting", () => {
  it("brings any texts through a line as they were", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(anyText, nasty), { minLength: 1, maxLength: 8 }), (words) => {
        expect(texts(words.map(quoteWord).join(" "))).toEqual([words]);
      }),
      { numRuns: 1000 },
    );
  });

  it("is what a shell reads as well", () => {
    const words = [
      "a b",
      "it's",
      '"',
      "$(id)",
      "`id`",
      "\\",
      "*",
      "~",
      "a&b",
      "x;y",
      "-n",
      "",
      "#",
      "é",
      "!x",
      "{a,b}",
    ];
    const shown = execFileSync("bash", ["-c", `printf '%s\\0' ${words.map(quoteWord).join(" ")}`]).toString();
    expect(shown.split("\0").slice(0, -1)).toEqual(words);
  });
});

describe("splitting", () => {
  it("agrees with a real shell about quotes and backslashes", () => {
    const part = fc.constantFrom("'", '"', "\\", " ", "a", "b", "\\\\", '\\"', "\\'", "x");
    const lines = fc.sample(
      fc.array(part, { maxLength: 14 }).map((parts) => `a${parts.join("")}`),
      { numRuns: 300, seed: 7 },
    );
    const whole = lines.filter((line) => scanWords(line).open === null);
    expect(whole.length).toBeGreaterThan(30);
    const script = whole.map((line) => `printf '%s\\0' ${line}; printf '\\n\\0'`).join("\n");
    const shown = execFileSync("bash", ["-c", script]).toString();
    expect(shown).toBe(
      whole.map((line) => [...(texts(line)[0] ?? []), "\n"].map((word) => `${word}\0`).join("")).join(""),
    );
  });

  it("never does anything but words or a coded refusal, whatever the line", () => {
    fc.assert(
      fc.property(fc.oneof(anyText, nasty), (line) => {
        try {
          const words = splitWords(line).flat();
          for (const { text, start, end, isBare } of words) {
            if (isBare) expect(line.slice(start, end).replaceAll("\\\n", "")).toBe(text);
          }
        } catch (error) {
          expect(error).toMatchObject({ code: "input.invalid" });
        }
      }),
      { numRuns: 2000 },
    );
  });
});
