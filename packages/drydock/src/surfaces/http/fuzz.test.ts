import { OPERATIONS } from "@drydock/protocol/http";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { createDock } from "../../app/index.ts";
import { createAgents } from "../../tasks/index.ts";
import { OPENAI_OPERATIONS } from "./openai/operations.ts";
import { arbitraryFromSchema, type JsonSchema } from "./testing/arbitrary-from-schema.ts";
import { openTestServer } from "./testing/open-test-server.ts";

const REQUESTS_EACH = 12;
/** It takes nothing that could be made up, and seconds each time. */
const WITHOUT_INPUT = ["examineHome"];
const ALL = { ...OPERATIONS, ...OPENAI_OPERATIONS };

interface Described {
  operationId: string;
  parameters: { name: string; in: string; required?: boolean; schema: JsonSchema }[];
  requestBody?: { content: { "application/json": { schema: JsonSchema } } };
}

const { agent } = createAgents(() => createDock());
const echo = agent({
  name: "echo",
  description: "Says it again",
  input: z.object({ text: z.string() }),
  prompt: "{{ text }}",
});
const place = openTestServer({
  agents: [echo],
  script: [
    { when: { step: "code" }, text: "```python\nprint(1)\n```", repeat: "always" },
    { when: { step: "work" }, writes: [], repeat: "always" },
    { text: "words", repeat: "always" },
  ],
  // What is made up here may ask for a long time: nobody waits for that.
  policy: "version: 1\nlimits: { wallSeconds: 2, cpuSeconds: 2 }\nsessions: { live: 4 }\n",
  limits: { deadlineMs: 8000 },
});

/** Everything that the server's own description says can be asked. */
async function readDescription() {
  const root = (await (await place.fetch("/openapi.json")).json()) as {
    paths: Record<string, Record<string, Described>>;
    components: { schemas: Record<string, JsonSchema> };
  };
  const operations = Object.entries(root.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), ...operation })),
  );
  return { operations, shapes: root.components.schemas };
}

describe("every operation of the server's own description", () => {
  let ids: fc.Arbitrary<unknown>;
  let named: Record<string, fc.Arbitrary<unknown>>;
  let description: Awaited<ReturnType<typeof readDescription>>;

  beforeAll(async () => {
    description = await readDescription();
    const workspace = place.makeWorkspace({ "a.py": "print(1)\n" });
    const made = await place.call("POST", "/execute", { code: "open('a.txt', 'w').write('x')", workspace });
    const { artifacts } = (await place.call("GET", `/runs/${made.value.runId}/artifacts`)).value as {
      artifacts: { id: string }[];
    };
    const session = await place.call("POST", "/sessions", {});
    const known = [made.value.runId, artifacts[0]?.id, session.value.sessionId, "run_none"];
    ids = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...known) }, fc.string());
    // Random words as a workspace could name a directory that somebody needs.
    const workspaces = fc.oneof(
      { weight: 5, arbitrary: fc.constant(workspace) },
      fc.string().map((name) => `/nowhere/${name}`),
    );
    named = {
      workspace: workspaces,
      session: ids,
      runId: ids,
      model: fc.constantFrom("echo", "echo", "nobody/nothing", "scripted:/etc/passwd"),
      route: fc.oneof(
        fc.constantFrom(
          "/csv",
          "/csv head a.csv",
          "/jq . | /jq .",
          "/help",
          '/git log "',
          "/curl get http://127.0.0.1:9/",
        ),
        fc.string().map((words) => `/${words}`),
        fc.record({ command: fc.constantFrom("jq", "git", "no"), values: fc.dictionary(fc.string(), fc.jsonValue()) }),
      ),
      source: workspaces,
      directory: workspaces,
    };
  });

  it("is described in OpenAPI 3.1 and known to the client", () => {
    expect(description.operations.map(({ operationId }) => operationId).sort()).toEqual(Object.keys(ALL).sort());
  });

  it("has no reference that leads nowhere", async () => {
    const root = (await (await place.fetch("/openapi.json")).json()) as Record<string, unknown>;
    const refs = [...JSON.stringify(root).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path = ""]) => path);
    const find = (path: string) => path.split("/").reduce<unknown>((at, key) => Object(at)[key], root);
    expect(refs.filter((path) => find(path) === undefined)).toEqual([]);
  });

  it.each(Object.keys(ALL).filter((name) => !WITHOUT_INPUT.includes(name)))(
    "%s answers whatever is asked: no 5xx, no hang, nothing but what is described",
    async (name) => {
      const operation = description.operations.find(({ operationId }) => operationId === name);
      if (!operation) throw new Error(`${name} is not described`);
      const hints = { shapes: description.shapes, named };
      const options = Object.fromEntries(
        operation.parameters.map((parameter) => {
          const value =
            parameter.in === "path" ? ids : (named[parameter.name] ?? arbitraryFromSchema(parameter.schema, hints));
          return [parameter.name, parameter.required ? value : fc.option(value)];
        }),
      );
      const schema = operation.requestBody?.content["application/json"].schema;
      const body = schema
        ? fc.oneof(
            { weight: 4, arbitrary: arbitraryFromSchema(schema, hints) },
            { weight: 1, arbitrary: fc.jsonValue() },
          )
        : fc.constant(undefined);
      await fc.assert(
        fc.asyncProperty(fc.record(options), body, async (parameters, value) => {
          const answer = await ask(operation, parameters, value);
          const text = await answer.text();
          expect(answer.status, text).toBeLessThan(500);
          if (answer.status >= 400) {
            expect(JSON.parse(text)).toMatchObject({ error: { code: expect.any(String), hint: expect.any(String) } });
            return;
          }
          const { response } = ALL[name as keyof typeof ALL] as { response?: z.ZodType };
          const isJson = answer.headers.get("content-type") === "application/json";
          if (response && isJson) expect(response.safeParse(JSON.parse(text)).error).toBeUndefined();
        }),
        { numRuns: REQUESTS_EACH, seed: 7, endOnFailure: true },
      );
    },
    60_000,
  );

  async function ask(
    { path, method, parameters }: (typeof description.operations)[number],
    options: Record<string, unknown>,
    body: unknown,
  ): Promise<Response> {
    let url = path;
    const query = new URLSearchParams();
    const headers: Record<string, string> = body === undefined ? {} : { "content-type": "application/json" };
    for (const { name, in: where } of parameters) {
      const value = options[name];
      if (value === null || value === undefined) continue;
      const text = String(value).toWellFormed();
      if (where === "path") url = url.replace(`{${name}}`, encodeURIComponent(text));
      else if (where === "query") query.set(name, text);
      else if (/^[\x21-\x7e]+$/.test(text)) headers[name] = text;
    }
    return place.fetch(`${url}?${query}`, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(20_000),
    });
  }
});
