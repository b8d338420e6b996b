import type { Tool } from "@modelcontextprotocol/client";
import fc from "fast-check";
import { expect, it } from "vitest";
import { describeTools } from "./describe-tools.ts";
import { readServerSpec } from "./server-spec.ts";

const spec = (more = {}) => readServerSpec({ name: "box", command: ["x"], ...more });
const tool = (name: string, description = ""): Tool => ({ name, description, inputSchema: { type: "object" } });

it("gives names that any model takes, each once, whatever the server calls its tools", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string({ unit: "binary" }), fc.stringMatching(/^[a-z./_-]{1,130}$/))), (names) => {
      const { tools, leftOut } = describeTools(
        spec(),
        names.map((name) => tool(name, name)),
      );
      for (const { shownName } of tools) expect(shownName).toMatch(/^box__[A-Za-z0-9_-]{1,59}$/);
      expect(new Set(tools.map(({ shownName }) => shownName)).size).toBe(tools.length);
      expect(tools.length + leftOut.length).toBe(names.length);
      for (const { name } of leftOut) expect(name).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    }),
  );
});

it("tells long names apart", () => {
  const { tools } = describeTools(spec(), [tool(`${"a".repeat(80)}1`), tool(`${"a".repeat(80)}2`)]);
  expect(new Set(tools.map(({ shownName }) => shownName)).size).toBe(2);
});

it("leaves out what is nested too deeply to be shown", () => {
  let deep: Record<string, unknown> = {};
  for (let at = 0; at < 100_000; at++) deep = { deep };
  const listed = [
    { ...tool("deep"), inputSchema: { type: "object" as const, properties: deep as never } },
    tool("flat"),
  ];
  const { tools, leftOut } = describeTools(spec(), listed);
  expect(tools.map(({ name }) => name)).toEqual(["flat"]);
  expect(leftOut).toMatchObject([{ name: "deep" }]);
});

it.each([
  ["neither command nor url", {}],
  ["both", { command: ["x"], url: "http://a.example/" }],
  ["a password in the address", { url: "http://me:secret@a.example/" }],
  ["another kind of address", { url: "file:///etc/passwd" }],
  ["a name that is none", { name: "a b", command: ["x"] }],
  ["a field that there is not", { command: ["x"], env: {} }],
])("refuses a server with %s", (_name, value) => {
  expect(() => readServerSpec({ name: "box", ...value })).toThrow("This MCP server can't be used");
});
