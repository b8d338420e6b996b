import { DrydockError } from "@drydock/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { route } from "./route.ts";
import { countResponsesNeeded, fillTemplates } from "./settle-values.ts";
import { SAMPLE } from "./testing/sample-commands.ts";

const shop = {
  url: "https://a.org/x",
  n: 7,
  "odd key": "k",
  items: [{ name: "a" }, { name: "b c" }],
  none: null,
  yes: true,
};
const responses = [{ text: JSON.stringify(shop) }, { text: "plain" }, { text: "[1,2]" }];

function fill(line: string, given: readonly { text: string }[] = responses) {
  const [first] = route(line, SAMPLE);
  if (!first) throw new Error("There is no route.");
  return fillTemplates(first, given);
}

const message = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    if (error instanceof DrydockError && error.code === "input.invalid") return `${error.message} ${error.hint}`;
    throw error;
  }
  throw new Error("It was not refused.");
};

describe("values that speak of responses", () => {
  it.each<[line: string, expected: object]>([
    ["/curl get {{ last.json.url }} -t {{last.json.n}}", { url: "https://a.org/x", timeout: 7 }],
    ["/curl get {{ last.json.url }}/more --no-raw", { url: "https://a.org/x/more", raw: false }],
    [
      `/echo "{{ last.json.items[1].name }}" '{{ last.json["odd key"] }}' {{last.json['odd key']}}`,
      { words: ["b c", "k", "k"] },
    ],
    ["/echo {{ history[1].text }}!{{ history[2].json[0] }}", { words: ["plain!1"] }],
    ["/echo {{ history[0].json.n }} {{ last.json.items }}", { words: ["7", '[{"name":"a"},{"name":"b c"}]'] }],
    ["/echo {{ last }}", { words: [JSON.stringify(shop)] }],
    ["/curl post https://a.org --body {{ last.json.items }}", { body: shop.items }],
    [
      `/curl post https://a.org --body '{"a": ["{{ last.json.n }}", "is {{ last.json.n }}"]}'`,
      { body: { a: [7, "is 7"] } },
    ],
    ["/curl get https://a.org --raw={{ last.json.yes }}", { raw: true }],
    [`/echo '\\{{ last.text }}' {{ other }}`, { words: ["{{ last.text }}", "{{", "other", "}}"] }],
  ])("%s", (line, expected) => {
    expect(fill(line)).toMatchObject(expected);
  });

  it("say how many responses they need", () => {
    const needed = (line: string) => route(line, SAMPLE).map(countResponsesNeeded);
    expect(needed("/echo a | /echo {{ last.text }} | /echo {{ history[4].text }}x{{ last }}")).toEqual([0, 1, 5]);
    expect(needed(`/echo '\\{{ last.text }}'`)).toEqual([0]);
    const body = {
      command: "curl",
      action: "post",
      values: { url: "https://a.org", body: { a: ["{{ history[2] }}"] } },
    };
    expect(route(body, SAMPLE).map(countResponsesNeeded)).toEqual([3]);
  });

  it("are refused at once where they can't be read, and the rest is checked before anything runs", () => {
    expect(message(() => route("/echo {{ last.jsn }}", SAMPLE))).toContain("can't be read");
    expect(message(() => route("/echo {{ last..x }}", SAMPLE))).toContain("can't be read");
    expect(message(() => route("/echo {{ history.text }}", SAMPLE))).toContain("can't be read");
    expect(message(() => route("/echo {{ history[100].text }}", SAMPLE))).toContain("too far back");
    expect(message(() => route("/curl get {{ last.text }} -t 99", SAMPLE))).toContain("timeout is too large");
  });

  it.each<[line: string, said: string]>([
    [
      "/echo {{ last.json.nmae }}",
      "there is no nmae in json. json is an object with url, n, odd key, items, none, yes.",
    ],
    ["/echo {{ last.json.items[2] }}", "there is no [2] in json.items. json.items is a list of 2."],
    ["/echo {{ last.json.n.x }}", "there is no x in json.n. json.n is 7."],
    ["/echo {{ last.json.constructor }}", "there is no constructor in json."],
    ["/echo {{ last.json.__proto__ }}", "there is no __proto__ in json."],
    ["/echo {{ last.json.items.length }}", "there is no length in json.items."],
    ["/echo {{ history[1].json.x }}", 'the response is not valid JSON. It begins with "plain"'],
    ["/echo {{ history[3].text }}", "there is no such response in this session; there are 3."],
    ["/curl get {{ last.json.none }}", "url must be a text, and is null"],
  ])("%s: what is there instead is named", (line, said) => {
    expect(message(() => fill(line))).toContain(said);
  });
});

describe("what a response holds", () => {
  const evil = (value: unknown) => [{ text: JSON.stringify({ x: value }) }];

  it.each<[name: string, line: string, value: unknown, said: string]>([
    ["a flag", "/echo {{ last.json.x }}", "--output=/etc/x", "begins with a dash"],
    ["a flag for a flag", "/curl get https://a.org -H {{ last.json.x }}", "-K/etc/x", "begins with a dash"],
    ["a path upwards", "/curl get https://a.org -o {{ last.json.x }}", "../x", "upwards"],
    ["a path upwards in parts", "/curl get https://a.org -o a/{{ last.json.x }}", "../../x", "upwards"],
    ["another scheme", "/curl get {{ last.json.x }}", "file:///etc/passwd", "http(s)"],
    ["a user in an address", "/curl get https://{{ last.json.x }}", "a:b@c.org", "password"],
    ["a NUL", "/echo {{ last.json.x }}", "a\0b", "NUL"],
    ["a number too large", "/curl get https://a.org -t {{ last.json.x }}", 61, "too large"],
    ["no choice", "/curl get https://a.org --format {{ last.json.x }}", "xml", "can't be xml"],
    ["a nest", "/echo {{ last.json.x }}", JSON.parse(`${"[".repeat(3000)}${"]".repeat(3000)}`), "100 levels"],
  ])("is checked like any other value: %s", (_name, line, value, said) => {
    expect(message(() => fill(line, evil(value)))).toContain(said);
  });

  it("stays one value, whatever quotes, flags, pipes and templates it holds", () => {
    const text = `a' "b" --raw | /curl get x; $(id) \\ {{ last.text }} {{ words }}\n-x`;
    expect(fill("/echo {{ last.json.x }} '<{{ last.json.x }}>'", evil(text)).words).toEqual([text, `<${text}>`]);
    const body = fill(
      `/curl post https://a.org --body '{"q": "say {{ last.json.x }}"}'`,
      evil('", "admin": true, "z": "'),
    );
    expect(body.body).toEqual({ q: 'say ", "admin": true, "z": "' });
  });

  it("stays one value, for any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        fc.pre(!text.startsWith("-") && !text.includes("\0"));
        expect(fill("/echo a {{ last.text }} b", [{ text }])).toEqual({ words: ["a", text, "b"], prefix: "" });
      }),
      { numRuns: 500 },
    );
  });
});

describe("references without end", () => {
  it("are refused before anything is looked up", () => {
    expect(() => route(`/show text '${"{{ last.json.n }}".repeat(101)}'`, SAMPLE)).toThrow("There are 101 references");
    expect(() => fill(`/echo say ${"'{{ last.json.n }}' ".repeat(101)}`)).toThrow("There are 101 references");
    expect(fill(`/echo say ${"'{{ last.json.n }}' ".repeat(100)}`)).toMatchObject({ words: { length: 100 } });
  });
});
