import { OPERATIONS } from "@drydock/protocol/http";
import { expect, it } from "vitest";
import { createClient } from "../src/index.ts";

/** Every method of an object, and of the objects in it. */
function listMethods(value: object): ((...given: unknown[]) => unknown)[] {
  return Object.values(value).flatMap((each) => (typeof each === "function" ? [each] : listMethods(each)));
}

/** A client of a server that answers everything with `{}`, and what was asked of it. */
function openClient() {
  const asked: string[] = [];
  const fetch = async (url: unknown, init?: RequestInit) => {
    const { pathname, search } = new URL(String(url));
    asked.push([init?.method, `${pathname}${search}`, ...(init?.body ? [init.body] : [])].join(" "));
    return new Response("{}", { status: 200 });
  };
  return { client: createClient({ fetch: fetch as typeof globalThis.fetch }), asked };
}

it("has a method for every operation of the server", async () => {
  const { client, asked } = openClient();
  // Those open a connection that stays, and there is no server here.
  const connects: unknown[] = [client.boxes.terminal, client.sessions.terminal];
  for (const method of listMethods(client).filter((each) => !connects.includes(each))) {
    // Following a run is a generator, and asks nothing before it is read.
    await method("x", {}, {});
    // Some paths have two parameters.
    await method("x", "x");
  }
  const reached = asked.map((line) => line.split(/[ ?]/, 2).join(" "));
  const operations = Object.values(OPERATIONS).map(
    ({ method, path }) => `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, "x")}`,
  );
  expect(operations.filter((operation) => !reached.includes(operation))).toEqual([]);
});

it("has no two operations with one method, and no method that is also a group of methods", () => {
  const names = Object.values(OPERATIONS).flatMap(({ client }) => (client === null ? [] : [client as string]));
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  expect(names.filter((name) => names.some((other) => other.startsWith(`${name}.`)))).toEqual([]);
});

it("takes the path's parameters, arguments of the operation's own, and the other fields, in this order", async () => {
  const { client, asked } = openClient();
  await client.runs.list();
  await client.runs.report("run_1", { format: "sarif" });
  await client.runs.apply("run_1");
  await client.responses.history("ada", { limit: 2 });
  await client.responses.totals();
  await client.extensions.execute("/jq data", { session: "ada" });
  await client.extensions.lint("/extension");
  await client.secrets.set("KEY", "value");
  expect(asked).toEqual([
    "GET /runs",
    "GET /runs/run_1/report?format=sarif",
    "POST /runs/run_1/apply {}",
    "GET /responses?session=ada&limit=2",
    "GET /responses/totals",
    'POST /capabilities {"route":"/jq data","session":"ada"}',
    'POST /extensions/lint {"directory":"/extension"}',
    'POST /secrets {"name":"KEY","value":"value"}',
  ]);
});

it("refuses, when it is compiled, what the operation does not take", () => {
  const { client } = openClient();
  // Never called: the compiler judges these.
  const wrong = [
    // @ts-expect-error a run has an id
    () => client.runs.get(),
    // @ts-expect-error there is no such format
    () => client.runs.report("run_1", { format: "pdf" }),
    // @ts-expect-error a secret has a value
    () => client.secrets.set("KEY"),
    // @ts-expect-error the session is the first argument
    () => client.responses.history({ session: "ada" }),
    // @ts-expect-error nothing follows the directory
    () => client.extensions.lint("/extension", { approved: "x" }),
  ];
  expect(wrong).toHaveLength(5);
});
