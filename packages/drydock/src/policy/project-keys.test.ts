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
