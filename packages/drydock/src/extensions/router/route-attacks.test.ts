import { type CommandRoute, DrydockError, type ErrorInfo } from "@drydock/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatCall } from "./format-call.ts";
import { listUrls } from "./list-urls.ts";
import { route } from "./route.ts";
import { declare, SAMPLE } from "./testing/sample-commands.ts";

const one = (given: string | CommandRoute) => {
  const [first] = route(given, SAMPLE);
  if (!first) throw new Error("There is no route.");
  return first;
};
const values = (given: string) => one(given).values;
const data = (command: string, action: string | undefined, given: Record<string, never> | object) =>
  one({ command, ...(action === undefined ? {} : { action }), values: given } as CommandRoute);

function fault(act: () => unknown): ErrorInfo {
  try {
    act();
  } catch (error) {
    if (error instanceof DrydockError) return error.toInfo();
    throw error;
  }
  throw new Error("It was not refused.");
}

describe("attacks on values", () => {
  it.each<[line: string, message: string]>([
    ["/curl get --output=/etc/x", "no flag --output"],
    ["/curl get https://a.org -o/etc/x", "out must be a relative path"],
    ["/curl get https://a.org -o ../../etc/x", "must not lead upwards"],
    ["/curl get https://a.org -o a/../../x", "must not lead upwards"],
    ["/curl get https://a.org -o ~/.ssh/x", "relative path"],
    ["/curl get https://a.org -o file:///etc/passwd", "looks like an address"],
    ["/curl get https://a.org -o concat:a", "looks like an address"],
    ["/curl get https://a.org -o 'a\nb'", "control character"],
    ["/curl get https://a.org -o ''", "empty"],
    ["/curl get https://a.org -H --output=/etc/x", "begins with a dash"],
    ["/curl get https://a.org --header=--output=/etc/x", "begins with a dash"],
    ["/curl get https://a.org -H-K/etc/x", "begins with a dash"],
    ["/echo a -- --output=/etc/x", "begins with a dash"],
    ["/echo a -- -5", "begins with a dash"],
    ["/echo 'a\0b'", "NUL"],
    ["/curl get file:///etc/passwd", "http(s) address"],
    ["/curl get http://a@b.org", "user or a password"],
    ["/curl get http://@b.org", "user or a password"],
    ["/curl get 'http://a.org\\@b.org'", "http(s) address"],
    ["/curl get 'http://a.org/\nb'", "control character"],
    ["/curl get 'http://a.org/ b'", "http(s) address"],
    ["/curl get http:a.org", "http(s) address"],
    ["/curl get http:///", "http(s) address"],
    ["/curl get javascript:alert(1)", "http(s) address"],
    ["/curl get https://a.org -t 1e1", "whole number"],
    ["/curl get https://a.org -t 0x10", "whole number"],
    ["/curl get https://a.org -t ٣", "whole number"],
    ["/curl get https://a.org -t 99999999999999999999", "whole number"],
    ["/show plain --level Infinity", "a number"],
    ["/show plain --level NaN", "a number"],
    [`/show text ${"\ud800"}`, "Unicode"],
  ])("%j is refused", (line, message) => {
    expect(fault(() => route(line, SAMPLE))).toMatchObject({
      code: "input.invalid",
      message: expect.stringContaining(message),
    });
  });

  it("hands an address on in the one form that its host was read from", () => {
    const { action, values: read } = one("/curl get http://0x7f.1:80/a?b#c");
    expect(read.url).toBe("http://127.0.0.1/a?b#c");
    expect(listUrls(action, read).map(({ name, url }) => [name, url.hostname])).toEqual([["url", "127.0.0.1"]]);
    expect(values("/curl get HTTPS://EXAMPLE.org").url).toBe("https://example.org/");
  });

  it("keep their text where no program could take it for an option", () => {
    expect(values("/show text -- -rf").text).toBe("-rf");
    expect(values("/show call -- '- a list'").text).toBe("- a list");
    expect(values("/show plain --level -5 --tag=-x").level).toBe(-5);
    expect(values("/echo '; rm -rf /' '$(id)' `id` '–x'").words).toEqual(["; rm -rf /", "$(id)", "`id`", "–x"]);
  });

  it("are checked for runners that nobody knows, too", () => {
    const own = declare("x", [
      {
        name: "x",
        description: "x",
        actions: [{ name: "y", description: "y", runner: "house.lights", arguments: [{ name: "a" }] }],
      },
    ]);
    expect(fault(() => route("/x y -- -a", own)).message).toContain("begins with a dash");
  });
});

describe("any line at all", () => {
  const part = fc.constantFrom(
    ...[
      "/curl",
      "/echo",
      "/show",
      "get",
      "post",
      "text",
      "free",
      "plain",
      "--",
      "-",
      "-t",
      "-H",
      "--header",
      "--no-raw",
    ],
    ...[
      "--raw=",
      "=",
      "'",
      '"',
      "\\",
      "|",
      "https://a.org",
      "{{ last.text }}",
      "{{ last.",
      "\n",
      "-5",
      "../",
      "é",
      "\0",
    ],
  );
  it("is a route that fits its declaration, or a coded refusal", () => {
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 12 }).map((parts) => parts.join(" ")),
        (line) => {
          try {
            for (const { action, values: read, pending } of route(line, SAMPLE)) {
              const names = [...action.arguments, ...action.flags].map(({ name }) => name);
              expect(names).toEqual(expect.arrayContaining([...Object.keys(read), ...Object.keys(pending)]));
            }
          } catch (error) {
            expect(error).toBeInstanceOf(DrydockError);
            expect((error as DrydockError).code).toMatch(/^(input\.invalid|extension\.not_found)$/);
          }
        },
      ),
      { numRuns: 3000 },
    );
  });

  it("can be said again: the line of a call routes to the same call", () => {
    const text = fc.string({ maxLength: 20 }).filter((each) => !each.startsWith("-") && !/\{\{|\0/.test(each));
    const call = fc.record({
      header: fc.array(text, { maxLength: 3 }),
      timeout: fc.integer({ min: 1, max: 60 }),
      raw: fc.boolean(),
      follow: fc.boolean(),
      format: fc.constantFrom("text", "json", "two words"),
    });
    fc.assert(
      fc.property(call, (given) => {
        const routed = data("curl", "get", { url: "https://a.org/", ...given });
        const line = formatCall("curl", routed.action, routed.values);
        const again = one(line).values;
        expect({ header: [], ...again }).toEqual({ ...routed.values });
      }),
      { numRuns: 500 },
    );
    const free = data("show", "free", { text: "-x 'y'", count: -5 });
    expect(formatCall("show", free.action, free.values)).toBe(`/show free -- '-x '\\''y'\\''' -5`);
    expect(values(`/show free -- '-x '\\''y'\\''' -5`)).toEqual(free.values);
  });
});
