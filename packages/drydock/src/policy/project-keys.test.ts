import type { PolicyDocument } from "@drydock/protocol";
import { expect, it } from "vitest";
import { resolvePolicy } from "./resolve-policy.ts";

const source = (document: PolicyDocument) => ({ file: "/policy.yaml", document, positions: {} });
const OFF = source({ project: { environment: "off" } });
const AUTO = source({ project: { environment: "auto" } });
const CARGO: PolicyDocument = { sandbox: { toolchains: ["~/.cargo"] } };

it("what the owner switches off, nobody else switches on", () => {
  expect(resolvePolicy({ home: OFF }).effective.project.environment).toBe("off");
  expect(resolvePolicy({ workspace: OFF }).effective.project.environment).toBe("off");
  expect(() => resolvePolicy({ home: OFF, workspace: AUTO })).toThrow("project.environment: asks for auto");
  expect(() => resolvePolicy({ home: OFF, request: AUTO.document })).toThrow();
});

it("only the owner adds a toolchain; others leave some out", () => {
  expect(resolvePolicy({ home: source(CARGO) }).effective.sandbox.toolchains).toEqual(["~/.cargo"]);
  expect(() => resolvePolicy({ workspace: source(CARGO) })).toThrow("sandbox.toolchains: asks for ~/.cargo");
  expect(() => resolvePolicy({ request: CARGO })).toThrow();
  const none = resolvePolicy({ home: source(CARGO), request: { sandbox: { toolchains: [] } } });
  expect(none.effective.sandbox.toolchains).toEqual([]);
});

it("only the owner names an image; others go without", () => {
  const TOOLS: PolicyDocument = { sandbox: { image: "localhost/tools:1" } };
  expect(resolvePolicy({}).effective.sandbox.image).toBe("host");
  expect(resolvePolicy({ home: source(TOOLS) }).effective.sandbox.image).toBe("localhost/tools:1");
  expect(() => resolvePolicy({ workspace: source(TOOLS) })).toThrow("sandbox.image: asks for localhost/tools:1");
  expect(() => resolvePolicy({ request: TOOLS })).toThrow();
  const other: PolicyDocument = { sandbox: { image: "localhost/other:1" } };
  expect(() => resolvePolicy({ home: source(TOOLS), request: other })).toThrow();
  const none = resolvePolicy({ home: source(TOOLS), request: { sandbox: { image: "host" } } });
  expect(none.effective.sandbox.image).toBe("host");
});
