import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isForTests } from "./boundaries/find-test-only.ts";
import type { SourceFile } from "./boundaries/find-violations.ts";
import { readTree } from "./boundaries/read-tree.ts";
import { listShapes } from "./shapes/list-shapes.ts";

const LEAST_MEMBERS = 4;

const root = join(import.meta.dirname, "..");
const product = readTree(root).filter(({ path }) => !isForTests(path));

/** Declarations that look like another one, each with the reason why they are not the same thing. */
const EXCEPTIONS: Record<string, string> = {
  "packages/drydock/src/app/profiles/api.ts DecideOptions": "over HTTP `by` has a default",
  "packages/drydock/src/ledger/database/schema.ts ProfilesTable": "columns of a table: lists are JSON text in it",
  "packages/drydock/src/tasks/agents/agent.ts AgentResult": "generic over the output, which is anything over HTTP",
};

/**
 * Each declaration that says again what another one says, or what a schema of the protocol infers: `place: other`. With a
 * schema the names are compared only. Queries are left out: options of the library may have the same names.
 */
function findRestated(files: readonly SourceFile[]): string[] {
  const shapes = files.flatMap((file) => listShapes(file, LEAST_MEMBERS));
  const declared = shapes.filter(({ kind }) => kind === "declared");
  const schemas = shapes.filter(({ kind, place }) => kind === "schema" && isOfProtocol(place));
  return declared.flatMap((shape) => {
    const other =
      declared.find((each) => each !== shape && each.members === shape.members) ??
      schemas.find(({ names }) => names === shape.names);
    return other ? [`${shape.place}: ${other.place}`] : [];
  });
}

function isOfProtocol(place: string): boolean {
  return place.startsWith("packages/protocol/") && !place.endsWith(".query");
}

describe("shapes", () => {
  const restated = findRestated(product);
  const placeOf = (line: string) => line.slice(0, line.indexOf(": "));

  it("are written once", () => {
    expect(restated.filter((line) => !(placeOf(line) in EXCEPTIONS))).toEqual([]);
  });

  it("have no exception that is not needed any more", () => {
    const places = restated.map(placeOf);
    expect(Object.keys(EXCEPTIONS).filter((place) => !places.includes(place))).toEqual([]);
  });

  const ONE = {
    path: "packages/a/src/one.ts",
    text: "export interface One { a: string; b?: number; c(): void; d: A | B }",
  };
  const inside = (text: string) => findRestated([ONE, { path: "packages/a/src/two.ts", text }]).map(placeOf);
  const TWICE = ["packages/a/src/one.ts One", "packages/a/src/two.ts "];

  it.each([
    ["an interface", "interface Two { a: string; b?: number; c(): void; d: A | B }", "Two"],
    ["another order", "interface Two { d: A | B; c(): void; b?: number; a: string }", "Two"],
    ["a type literal", "type Two = { a: string, b?: number, c(): void, d: A | B };", "Two"],
    ["an option's type", "function two(options: { a: string; b?: number; c(): void; d: A | B }) {}", "two"],
    ["one inside of another", "interface Two { x: { a: string; b?: number; c(): void; d: A | B }[] }", "Two.x"],
    [
      "another layout",
      "interface Two {\n  /** Why; */\n  readonly a: string;\n b?:number;\n c() : void; // d\n d:\n | A\n | B;\n}",
      "Two",
    ],
    [
      "an undefined that is optional",
      "interface Two { a: string; b?: number | undefined; c(): void; d: A | B }",
      "Two",
    ],
  ])("that are written again are found: %s", (_, text, name) => {
    expect(inside(text)).toEqual([TWICE[0], `${TWICE[1]}${name}`]);
  });

  it.each([
    ["another type", "interface Two { a: string; b?: string; c(): void; d: A | B }"],
    ["another name", "interface Two { a: string; b?: number; c(): void; e: A | B }"],
    ["one that must be there", "interface Two { a: string; b: number; c(): void; d: A | B }"],
    ["one more", "interface Two { a: string; b?: number; c(): void; d: A | B; e: string }"],
    ["a type made from the other", 'type Two = Pick<One, "a" | "b" | "c" | "d">;'],
  ])("that differ are not: %s", (_, text) => {
    expect(inside(text)).toEqual([]);
  });

  it("that a schema infers already are found", () => {
    const text = "export const Thing = z.strictObject({ a: z.string(), b: z.number().optional(), c: Other, d: list });";
    const found = findRestated([ONE, { path: "packages/protocol/src/thing.ts", text }]);
    expect(found).toEqual(["packages/a/src/one.ts One: packages/protocol/src/thing.ts Thing"]);
    const query = `const THINGS = { list: { query: ${text.slice(text.indexOf("z."), -1)} } };`;
    expect(findRestated([ONE, { path: "packages/protocol/src/http/things.ts", text: query }])).toEqual([]);
  });
});
