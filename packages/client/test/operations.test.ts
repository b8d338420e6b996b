import { OPERATIONS } from "@drydock/protocol/http";
import { expect, it } from "vitest";
import { createClient } from "../src/index.ts";

/** Every method of an object, and of the objects in it. */
function listMethods(value: object): ((...given: unknown[]) => unknown)[] {
  return Object.values(value).flatMap((each) => (typeof each === "function" ? [each] : listMethods(each)));
}

it("has a method for every operation of the server", async () => {
  const reached = new Set<string>();
  const fetch = async (url: unknown, init?: RequestInit) => {
    reached.add(`${init?.method} ${new URL(String(url)).pathname}`);
    return new Response("{}", { status: 200 });
  };
  const client = createClient({ fetch: fetch as typeof globalThis.fetch });
  for (const method of listMethods(client)) {
    // Following a run is a generator, and asks nothing before it is read.
    await method("x", {}, {});
  }
  const operations = Object.values(OPERATIONS).map(
    ({ method, path }) => `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, "x")}`,
  );
  expect(operations.filter((operation) => !reached.has(operation))).toEqual([]);
});
