import { expect, it } from "vitest";
import { pickEnvironment } from "./environment-rules.ts";

it("lets only the named variables and families inside", () => {
  const env = { LANG: "C", LC_ALL: "x", LC_: "y", LCX: "no", TZ: "", AWS_SECRET: "no", NOTLC_A: "no", GONE: undefined };
  expect(pickEnvironment(["LANG", "LC_*", "TZ", "GONE"], env)).toEqual({ LANG: "C", LC_ALL: "x", LC_: "y", TZ: "" });
});

it("gives nothing for an empty list", () => {
  expect(pickEnvironment([], { PATH: "/bin" })).toEqual({});
});

it("is not led astray by a variable named like a property of objects", () => {
  const env = JSON.parse('{ "__proto__": "x", "constructor": "y" }');
  expect(Object.keys(pickEnvironment(["__proto__", "LANG"], env))).toEqual(["__proto__"]);
});
