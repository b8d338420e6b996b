import { OPERATIONS } from "@drydock/protocol/http";
import { describe, expect, it } from "vitest";
import { connectTo } from "../mcp/testing/use-mcp.ts";
import { OPENAI_OPERATIONS } from "./openai/operations.ts";
import { findPoorDescriptions, listFields } from "./testing/list-fields.ts";
import { openTestServer } from "./testing/open-test-server.ts";

const MAX_CORE_TOOLS_BYTES = 32 * 1024;

const place = openTestServer({ auth: false, warm: 0, mcpExtensions: ["*"] });

describe("whoever has not seen the code", () => {
  it("finds a description of every property and parameter in the OpenAPI document", async () => {
    const { value } = await place.call("GET", "/openapi.json");
    const fields = listFields(value);
    expect(fields.length).toBeGreaterThan(1000);
    expect(fields.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["Idempotency-Key", "wallSeconds", "cursor"]),
    );
    expect(findPoorDescriptions(fields)).toEqual([]);
  });

  it("finds what each operation does and which token it needs, in the OpenAPI document", async () => {
    const { value } = await place.call("GET", "/openapi.json");
    const { paths } = value as { paths: Record<string, Record<string, Record<string, unknown>>> };
    const all = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, ...operation })),
    ) as { name: string; summary: string; description: string; security: unknown; "x-drydock-scope": unknown }[];
    expect(all.length).toBe(Object.keys({ ...OPERATIONS, ...OPENAI_OPERATIONS }).length);
    const poor = all.filter(
      ({ summary, description }) =>
        !/^[A-Z].{20,}\. Token: \S.*\.$/.test(description) || description.startsWith(summary),
    );
    expect(poor.map(({ name }) => name)).toEqual([]);
    for (const { security, "x-drydock-scope": scope } of all) {
      expect([null, "read", "run", "admin"]).toContain(scope);
      expect(security).toEqual(scope === null ? [] : [{ token: [scope] }]);
    }
    expect(all.find(({ name }) => name === "post /runs/{id}/apply")?.description).toMatch(/scope `run` or higher\.$/);
    expect(all.find(({ name }) => name === "get /health")?.description).toMatch(/Token: none\.$/);
  });

  it("finds one for every field of every MCP tool, extensions' included, and the list stays small", async () => {
    const client = await connectTo(`${place.server.url}/mcp`, "auto");
    const { tools } = await client.listTools();
    await client.close();
    for (const part of ["inputSchema", "outputSchema"] as const) {
      const fields = tools.flatMap((tool) => listFields(tool[part], `${tool.name} ${part}`));
      expect(fields.length).toBeGreaterThan(tools.length);
      expect(findPoorDescriptions(fields)).toEqual([]);
    }
    expect(tools.filter(({ name, description }) => !description || description === name)).toEqual([]);
    const core = tools.filter(({ name }) => !name.includes("__"));
    expect(core.length).toBeGreaterThan(10);
    expect(tools.length).toBeGreaterThan(core.length);
    expect(Buffer.byteLength(JSON.stringify(core))).toBeLessThan(MAX_CORE_TOOLS_BYTES);
  });
});

it("a description that is missing, short, or says only the name is found wherever it stands", () => {
  const schema = {
    properties: {
      id: { type: "string" },
      treeHash: { type: "string", description: "The tree hash." },
      good: { type: "string", description: "Id of the good run." },
      list: {
        description: "A list of things",
        items: { anyOf: [{ properties: { inner: { description: "Inner." } } }] },
      },
      properties: { description: "A field of this name", type: "object", default: { properties: { no: {} } } },
    },
  };
  const parameter = { parameters: [{ name: "cursor", in: "query", schema: { type: "string" } }] };
  expect(findPoorDescriptions(listFields([schema, parameter]))).toEqual([
    "/0.id: no description",
    "/0.treeHash: only its name: The tree hash.",
    "/0.list/items/anyOf/0.inner: only its name: Inner.",
    "/1/parameters/0: no description",
  ]);
});
