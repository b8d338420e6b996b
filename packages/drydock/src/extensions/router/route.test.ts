import { type CommandRoute, DrydockError, type ErrorInfo } from "@drydock/protocol";
import { describe, expect, it } from "vitest";
import { route } from "./route.ts";
import { SAMPLE } from "./testing/sample-commands.ts";

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

describe("a route", () => {
  it("names extension, command and action, with values that have their types and defaults", () => {
    const {
      extension,
      command,
      action,
      values: read,
    } = one("/curl get https://a.org -H 'A: b' --header=C:d -t 5 --raw");
    expect([extension, command.name, action.name]).toEqual(["sample", "curl", "get"]);
    expect(read).toEqual({ url: "https://a.org/", header: ["A: b", "C:d"], timeout: 5, raw: true, follow: true });
  });

  it("knows aliases, default actions and commands with one action", () => {
    expect(one("/fetch https://a.org").action.name).toBe("get");
    expect(one("/echo a b").values).toEqual({ words: ["a", "b"], prefix: "" });
    expect(one("/echo say say").values.words).toEqual(["say"]);
    expect(one({ command: "/fetch", values: { url: "https://a.org" } }).action.name).toBe("get");
  });

  it.each<[line: string, expected: object]>([
    ["-t5", { timeout: 5 }],
    ["-t=5", { timeout: 5 }],
    ["--timeout=5", { timeout: 5 }],
    ["-rf", { raw: true, follow: true }],
    ["-rt 7", { raw: true, timeout: 7 }],
    ["--no-follow --no-raw", { follow: false, raw: false }],
    ["--follow=no --raw=true", { follow: false, raw: true }],
    ["--format 'two words'", { format: "two words" }],
    ["--header=", { header: [""] }],
    ["--out a/b.txt", { out: "a/b.txt" }],
  ])("reads %s", (flags, expected) => {
    expect(values(`/curl get ${flags} https://a.org`)).toMatchObject(expected);
    expect(values(`/curl get https://a.org ${flags}`)).toMatchObject(expected);
  });

  it("takes text after -- as it is", () => {
    expect(values("/show text -- --help").text).toBe("--help");
    expect(values("/show free -- -x -5")).toEqual({ text: "-x", count: -5 });
    expect(values("/show free x -5")).toEqual({ text: "x", count: -5 });
  });

  it("is one for each command of a pipeline", () => {
    expect(route("/curl https://a.org | /echo x | /show text y", SAMPLE).map(({ command }) => command.name)).toEqual([
      "curl",
      "echo",
      "show",
    ]);
  });

  it.each<[line: string, code: string, column: number | undefined, message: string, hint: string]>([
    ["curl get x", "input.invalid", 1, "begins with /", "As in"],
    ["", "input.invalid", undefined, "no command", "As in"],
    ["/", "input.invalid", 1, "begins with /", "As in"],
    ["/crul get x", "extension.not_found", 1, "/crul", "Did you mean /curl?"],
    ["/fetsh x", "extension.not_found", 1, "/fetsh", "Did you mean /fetch?"],
    ["/echo x | /zzzzz", "extension.not_found", 11, "/zzzzz", "drydock ext list"],
    ["/show txet x", "extension.not_found", 7, "/show txet", "Did you mean /show text?"],
    ["/show", "input.invalid", 1, "needs an action", "text, free, plain, call"],
    ["/show --all", "input.invalid", 7, "needs an action", "text, free, plain, call"],
    ["/curl pots", "input.invalid", 7, "url must be an http", "Did you mean /curl post?"],
    ["/curl pots https://a.org", "input.invalid", 12, "is too much", "Did you mean /curl post?"],
    ["/curl get", "input.invalid", undefined, "needs url", "Usage: /curl get URL [--header TEXT]… [--timeout N]"],
    ["/curl get https://a.org b", "input.invalid", 25, "one argument; b is too much", "Quote"],
    ["/curl get https://a.org --haeder x", "input.invalid", 25, "no flag --haeder", "Did you mean --header?"],
    ["/curl get https://a.org --raw --raw", "input.invalid", 31, "raw is given twice", "once"],
    ["/curl get https://a.org --raw --no-raw", "input.invalid", 31, "raw is given twice", "once"],
    ["/curl get https://a.org --header --raw", "input.invalid", 25, "--header needs a value", "--header=VALUE"],
    ["/curl get https://a.org -H", "input.invalid", 25, "--header needs a value", "--header=VALUE"],
    ["/curl get https://a.org -x", "input.invalid", 25, "no flag -x", "--header"],
    ["/curl get https://a.org —header x", "input.invalid", 25, "The dash in —header", "Write --header"],
    ["/curl get https://a.org −t 5", "input.invalid", 25, "The dash in −t", "Write -t"],
    ["/curl get https://a.org -t x", "input.invalid", 25, "timeout must be a whole number", "whole number"],
    ["/curl get https://a.org -t 61", "input.invalid", 25, "timeout is too large: 61", "1 to 60"],
    ["/curl get https://a.org -t 5.0", "input.invalid", 25, "timeout must be a whole number", "whole"],
    ["/curl get https://a.org --format jsno", "input.invalid", 25, "format can't be jsno", "Did you mean json?"],
    ["/curl post https://a.org --body {a", "input.invalid", 26, "body must be JSON", "Quote it"],
  ])("refuses %j, and says where and what instead", (line, code, column, message, hint) => {
    const info = fault(() => route(line, SAMPLE));
    expect(info).toMatchObject({
      code,
      message: expect.stringContaining(message),
      hint: expect.stringContaining(hint),
    });
    expect(info.column).toBe(column);
  });
});

describe("values handed in as data", () => {
  it("go through the same checks", () => {
    expect(
      data("curl", "get", { url: "https://a.org", timeout: "5", header: "A: b", raw: "yes" }).values,
    ).toMatchObject({
      url: "https://a.org/",
      timeout: 5,
      header: ["A: b"],
      raw: true,
    });
    expect(data("curl", "post", { url: "https://a.org", body: { a: [1, null] } }).values.body).toEqual({
      a: [1, null],
    });
  });

  it.each<[name: string, action: string, given: object, message: string]>([
    ["an unknown name", "get", { url: "https://a.org", ulr: "x" }, "has no value ulr"],
    [
      "a name that objects have by birth",
      "get",
      { url: "https://a.org", constructor: "x" },
      "has no value constructor",
    ],
    [
      "a name of prototypes",
      "get",
      JSON.parse('{ "url": "https://a.org", "__proto__": "x" }'),
      "has no value __proto__",
    ],
    [
      "another type",
      "get",
      { url: "https://a.org", header: [{ a: 1 }] },
      "header must be a text, and is an object with a",
    ],
    ["a number for text", "get", { url: 7 }, "url must be a text, and is 7"],
    ["null", "get", { url: null }, "url must be a text, and is null"],
    ["a list for one value", "get", { url: ["https://a.org"] }, "url must be a text, and is a list of 1"],
    ["no whole number", "get", { url: "https://a.org", timeout: 1.5 }, "timeout must be a whole number"],
    ["a missing value", "post", { url: "https://a.org" }, "needs body"],
    ["an unknown action", "delete", {}, "/curl delete"],
  ])("refuse %s", (_name, action, given, message) => {
    expect(fault(() => data("curl", action, given)).message).toContain(message);
  });

  it("refuse a nest too deep, and what is no route at all", () => {
    let deep: unknown = 1;
    for (let at = 0; at < 50_000; at++) deep = [deep];
    expect(fault(() => data("curl", "post", { url: "https://a.org", body: deep })).message).toContain("100 levels");
    const line = `/curl post https://a.org --body ${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    expect(fault(() => route(line, SAMPLE)).message).toContain("100 levels");
    for (const wrong of [
      null,
      7,
      [],
      {},
      { command: 7 },
      { command: "curl", values: 7 },
      { command: "curl", more: 1 },
    ]) {
      expect(fault(() => route(wrong as never, SAMPLE)).code).toBe("input.invalid");
    }
  });
});
