import { describe, expect, it } from "vitest";
import { listTools, routeFromTool } from "./list-tools.ts";
import { route } from "./route.ts";
import { declare, SAMPLE } from "./testing/sample-commands.ts";

describe("actions as tools", () => {
  it("have a schema that says what they take", () => {
    const [get, post] = listTools(SAMPLE);
    expect(get).toEqual({
      name: "curl__get",
      description: "Fetches one address. (/curl: Fetches addresses. As curl does.)",
      extension: "sample",
      command: "curl",
      action: "get",
      inputSchema: {
        type: "object",
        properties: {
          url: { type: "string", format: "uri", description: "What to fetch." },
          header: { type: "array", items: { type: "string" }, description: "A header, as in 'A: b'." },
          timeout: { type: "integer", minimum: 1, maximum: 60, default: 10 },
          raw: { type: "boolean" },
          follow: { type: "boolean", default: true },
          format: { type: "string", enum: ["text", "json", "two words"] },
          out: { type: "string", description: "A path relative to the workspace." },
        },
        required: ["url"],
        additionalProperties: false,
      },
    });
    expect(post?.inputSchema.properties).toMatchObject({ body: { description: "Any JSON value." } });
  });

  it("have names that models accept, each its own", () => {
    const long = "a".repeat(48);
    const named = (name: string, actions: string[]) => ({
      name,
      description: "x",
      actions: actions.map((each) => ({ name: each, description: "x", runner: "exec.x" })),
    });
    const commands = declare("x", [
      named("a_b", ["c"]),
      named("a", ["b_c", "b-c"]),
      named(`${"a".repeat(47)}b`, [long]),
      named(long, [long, `${"a".repeat(47)}b`]),
    ]);
    const names = listTools(commands).map(({ name }) => name);
    expect(new Set(names).size).toBe(6);
    for (const name of names) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    for (const tool of listTools(commands)) {
      expect(routeFromTool(tool.name, {}, commands)).toEqual({
        command: tool.command,
        action: tool.action,
        values: {},
      });
    }
  });

  it("become routes, which are checked like any other", () => {
    const input = routeFromTool("curl__get", { url: "https://a.org", timeout: 5 }, SAMPLE);
    expect(route(input, SAMPLE)[0]?.values).toMatchObject({ url: "https://a.org/", timeout: 5 });
    expect(() => route(routeFromTool("curl__get", { url: "https://a.org", exec: "id" }, SAMPLE), SAMPLE)).toThrow(
      "no value exec",
    );
  });

  it("are none where a model made one up, or its arguments are no object", () => {
    expect(() => routeFromTool("curl__gte", {}, SAMPLE)).toThrow(
      expect.objectContaining({ code: "extension.not_found", hint: expect.stringContaining("curl__get") }),
    );
    for (const input of [null, undefined, "x", [1]]) {
      expect(() => routeFromTool("curl__get", input, SAMPLE)).toThrow(
        expect.objectContaining({ code: "input.invalid" }),
      );
    }
  });
});
