import { expect, it } from "vitest";
import { resolvePolicy } from "../resolve-policy.ts";
import { findDenial } from "./find-denial.ts";

const { effective } = resolvePolicy({
  home: {
    file: "policy.yaml",
    positions: {},
    document: {
      version: 1,
      files: { write: ["src/**"], protect: ["src/locked.ts"] },
      commands: { allow: ["git diff *", "npm test"] },
      network: { allow: ["api.example.org:443"] },
    },
  },
});

it.each([
  ["an edit outside of the scope", { kind: "edit", locations: [{ path: "/work/package.json" }] }],
  ["an edit of a protected file", { kind: "edit", content: [{ type: "diff", path: "/work/src/locked.ts" }] }],
  [
    "one bad path among good ones",
    { kind: "delete", locations: [{ path: "/work/src/a" }, { path: "/work/.git/config" }] },
  ],
  ["a command", { kind: "execute", rawInput: { command: "rm -rf src" } }],
  ["a command behind an allowed one", { kind: "execute", rawInput: { command: "npm test; curl x" } }],
  ["a command as words", { kind: "execute", rawInput: { command: ["bash", "-c", "npm test"] } }],
  ["another host", { kind: "fetch", rawInput: { url: "https://evil.org/" } }],
  ["another port", { kind: "fetch", rawInput: { url: "http://api.example.org/" } }],
])("the policy denies %s", async (_name, call) => {
  expect(await findDenial(effective, call)).toEqual(expect.stringContaining("the policy does not"));
});

it.each([
  ["an edit within the scope", { kind: "edit", locations: [{ path: "/work/src/a.ts" }] }],
  ["an allowed command", { kind: "execute", rawInput: { command: "git diff HEAD" } }],
  ["an allowed host", { kind: "fetch", rawInput: { url: "https://api.example.org/x" } }],
  ["what says nothing", { kind: "execute" }],
  ["what is of no known kind", { kind: "other", rawInput: { command: "rm" } }],
  ["what is no object", null],
])("a person decides about %s", async (_name, call) => {
  expect(await findDenial(effective, call)).toBeNull();
});
