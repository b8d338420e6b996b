import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { complete, findBegunWord } from "./complete.ts";
import { findHelpTopic, helpText } from "./help-text.ts";
import { SAMPLE } from "./testing/sample-commands.ts";

const offered = (line: string) => complete(line, SAMPLE).map(({ word }) => word);

describe("completion", () => {
  it.each<[line: string, words: string[]]>([
    ["", ["/curl", "/echo", "/show"]],
    ["/", ["/curl", "/echo", "/show"]],
    ["/f", ["/fetch"]],
    ["/cu", ["/curl"]],
    ["/curl", ["/curl"]],
    ["/curl ", ["get", "post", "--header", "--timeout", "--raw", "--no-follow", "--format", "--out"]],
    ["/curl p", ["post"]],
    ["/show t", ["text"]],
    ["/curl get --", ["--header", "--timeout", "--raw", "--no-follow", "--format", "--out", "--help"]],
    ["/curl get --raw --header x --r", []],
    ["/curl get --header x --h", ["--header"]],
    ["/curl get --format ", ["text", "json", "'two words'"]],
    ["/curl get --format t", ["text", "'two words'"]],
    ["/curl get --format 't", ["'text'", "'two words'"]],
    ['/curl get --format "two', ['"two words"']],
    ["/curl get --format=j", ["--format=json"]],
    ["/curl get -- --", []],
    ["/echo x | /s", ["/show"]],
    ["/echo x |", ["/curl", "/echo", "/show"]],
    ["/echo x | /show ", ["text", "free", "plain", "call"]],
    ["/echo 'x | /s", []],
    ["/nope ", []],
    ["/curl get --nope x --fo", ["--format"]],
  ])("of %j", (line, words) => {
    expect(offered(line)).toEqual(words);
  });

  it("says what each is", () => {
    expect(complete("/cu", SAMPLE)).toEqual([{ word: "/curl", description: "Fetches addresses." }]);
  });

  it.each([
    ["/cu", "/cu"],
    ["/curl ", ""],
    ["/curl get 'a b", "'a b"],
    ["/a |", ""],
    ["/a | /b", "/b"],
    ['/a "x y"', '"x y"'],
    ["/a x\\ ", "x\\ "],
  ])("knows which part of %j is replaced", (line, begun) => {
    expect(findBegunWord(line)).toBe(begun);
  });

  it("never fails, and offers only what goes on from what was typed", () => {
    const part = fc.constantFrom(
      "/curl",
      "/show",
      " ",
      "get",
      "'",
      '"',
      "\\",
      "|",
      "--",
      "-",
      "format",
      "=",
      "t",
      "{{ last",
    );
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 10 }).map((parts) => parts.join("")),
        (line) => {
          const begun = findBegunWord(line);
          expect(line.endsWith(begun)).toBe(true);
          if (/^[\w/=-]*$/.test(begun)) {
            for (const word of offered(line)) expect(word.replace(/^'/, "").startsWith(begun)).toBe(true);
          }
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe("help", () => {
  it.each<[line: string, words: string[] | null]>([
    ["/help", []],
    ["/help /curl get", ["curl", "get"]],
    ["/curl --help", ["curl"]],
    ["/fetch post -h", ["curl", "post"]],
    ["/curl get https://a.org --help", ["curl", "get"]],
    ["/echo x | /show --help", ["show"]],
    ["/show text -- --help", null],
    ["/show text '--help'", null],
    ["/nope --help", null],
    ["/curl get x", null],
  ])("asked for by %j", (line, words) => {
    expect(findHelpTopic(line, SAMPLE)).toEqual(words);
  });

  it("tells of all commands, of one, and of an action", () => {
    expect(helpText([], SAMPLE)).toContain("  /curl, /fetch  Fetches addresses.\n  /echo          Says it again.\n");
    expect(helpText([], [])).toContain("drydock ext add");
    const command = helpText(["fetch"], SAMPLE);
    expect(command).toContain("/curl (sample): Fetches addresses. As curl does.\nAlso: /fetch\n");
    expect(command).toContain("Fetches one address. (default)");
    expect(helpText(["/curl", "get"], SAMPLE)).toMatchInlineSnapshot(`
      "/curl get URL [--header TEXT]… [--timeout N] [--raw] [--follow] [--format TEXT] [--out PATH]

      Fetches one address.

      Arguments:
        URL  What to fetch. (url; required)

      Flags:
        -H, --header TEXT  A header, as in 'A: b'. (can be repeated)
        -t, --timeout N    (integer; from 1; up to 60; default: 10)
        -r, --raw
        -f, --follow       (default: true)
        --format TEXT      (text | json | two words)
        -o, --out PATH     (path)

      Examples:
        /curl get https://example.org

      Risk: low. Ends after 300 s at the latest.
      "
    `);
    expect(() => helpText(["crul"], SAMPLE)).toThrow(expect.objectContaining({ code: "extension.not_found" }));
    expect(() => helpText(["curl", "gte"], SAMPLE)).toThrow(expect.objectContaining({ code: "extension.not_found" }));
  });
});
