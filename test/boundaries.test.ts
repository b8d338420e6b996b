import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findViolations } from "./boundaries/find-violations.ts";
import { readTree } from "./boundaries/read-tree.ts";

const root = join(import.meta.dirname, "..");
const product = "packages/drydock/src";

describe("the import graph of the packages", () => {
  it("keeps to the architecture", () => {
    const files = readTree(root);
    expect(files.map(({ path }) => path)).toContain("packages/protocol/src/index.ts");
    expect(findViolations(files)).toEqual([]);
  });
});

describe("the boundary check", () => {
  const planted: [name: string, path: string, text: string, problem: string][] = [
    ["a lower room that imports a higher one", "policy/a.ts", 'import { x } from "../sandbox/index.ts";', "lies below"],
    ["a type import counted like any other", "policy/a.ts", 'import type { X } from "../app/index.ts";', "lies below"],
    ["a type named in passing", "policy/a.ts", 'type X = import("../app/index.ts").X;', "lies below"],
    ["a re-export", "ledger/index.ts", 'export * from "../queue/index.ts";', "lies below"],
    ["a lazy import", "ledger/a.ts", 'await import("../app/index.ts");', "lies below"],
    ["a base that imports a room", "base/text/a.ts", 'import { x } from "../../policy/index.ts";', "lies below"],
    ["the same by a type", "base/text/a.ts", 'import type { X } from "../../ledger/index.ts";', "lies below"],
    ["a side entrance of the base", "policy/a.ts", 'import { x } from "../base/yaml/open.ts";', "a door per folder"],
    ["a door to all of the base", "policy/a.ts", 'import { x } from "../base/index.ts";', "a door per folder"],
    ["a side entrance inside of the base", "base/yaml/a.ts", 'import "../text/nearest-word.ts";', "index.ts only"],
    ["neighbours on one level", "ledger/a.ts", 'import { x } from "../sandbox/index.ts";', "on one level"],
    ["a side entrance", "app/a.ts", 'import { x } from "../ledger/store.ts";', "one door"],
    ["a side entrance from a folder below", "app/deep/a.ts", 'import "../../ledger/sql/store.ts";', "one door"],
    ["a side entrance of the library's entry", "index.ts", 'export * from "./app/dock.ts";', "one door"],
    ["a room that imports the library's entry", "surfaces/a.ts", 'import "../index.ts";', "library's entry"],
    ["a way around a package's name", "policy/a.ts", 'import "../../../protocol/src/errors.ts";', "another package"],
    ["the product importing itself", "surfaces/a.ts", 'import { createDock } from "drydock";', "by its name"],
    ["an unknown room", "helpers/a.ts", "export {};", "no room"],
    ["process.env", "ledger/a.ts", "const a = process.env.HOME;", "only app/config"],
    ["process.env by another spelling", "app/a.ts", 'const a = globalThis.process["env"];', "only app/config"],
    ["process.env taken apart", "app/a.ts", "const { env } = process;", "only app/config"],
    ["process.env imported", "app/a.ts", 'import { env } from "node:process";', "only app/config"],
    ["a second way to start a process", "app/a.ts", 'import { spawn } from "node:child_process";', "only the sandbox"],
    ["the same without node:", "ledger/a.ts", 'import cp from "child_process";', "only the sandbox"],
    ["a process by a hidden load", "ledger/a.ts", 'process.getBuiltinModule("child_process");', "can't be told"],
    ["a test's own tools in the product", "ledger/a.ts", 'import { x } from "./testing/a.ts";', "only tests import"],
    ["require", "ledger/a.ts", 'const x = require("node:child_process");', "can't be told"],
    [
      "a use case that reaches into another",
      "app/goals/a.ts",
      'import "../tasks/stage.ts";',
      "api.ts and index.ts only",
    ],
    ["the same from a folder below", "app/goals/b/a.ts", 'import "../../tasks/stage.ts";', "api.ts and index.ts only"],
    [
      "the same by a lazy import",
      "app/tasks/a.ts",
      'await import("../agents/call-agent.ts");',
      "api.ts and index.ts only",
    ],
    [
      "a surface that needs the command line",
      "surfaces/repl/a.ts",
      'import "../cli/run-flags.ts";',
      "surfaces/terminal",
    ],
    ["a second judge", "sandbox/a.ts", 'import { toRunOutcome } from "./to-run-outcome.ts";', "one sequence"],
    ["a second gate", "sandbox/layers/a.ts", 'import { createGate } from "../gate.ts";', "one sequence"],
    ["a backend past the gate", "sandbox/a.ts", 'import "./backends/bare/create-backend.ts";', "one sequence"],
    ["a descriptor past the gate", "sandbox/a.ts", 'import "./backends/bare/descriptor.ts";', "one sequence"],
    ["the registry past the gate", "sandbox/a.ts", 'import "./backends/registry.ts";', "one sequence"],
    ["a backend in another", "sandbox/backends/a/b.ts", 'import "../bare/create-backend.ts";', "one sequence"],
    ["more than a descriptor", "sandbox/backends/registry.ts", 'import "./bare/check-run.ts";', "one sequence"],
    ["a policy narrowed by hand", "app/a.ts", "const a = { ...policy, network: { allow: [] } };", "only policy/"],
    ["the same of a call", "engine/a.ts", "run({ ...resolved.effective, limits });", "only policy/"],
    ["the same of a request", "tasks/a.ts", "const a = { ...(outerPolicy ?? {}), python };", "only policy/"],
    ["the same of a section that few know", "app/a.ts", "const a = { ...policy, mcp: { allow: [] } };", "only policy/"],
    ["the same by an assignment", "app/a.ts", "policy.network.allow = [];", "only policy/"],
    ["the same by a list's method", "app/a.ts", 'resolved.effective.commands.allow.push("ls");', "only policy/"],
    ["the same by Object.assign", "app/a.ts", "const a = Object.assign({}, policy, { network });", "only policy/"],
    [
      "a second agent loop",
      "tasks/a.ts",
      "while (true) { const a = await askModel(ports, { messages }); for (const call of a.toolCalls) await run(call); }",
      "an agent loop",
    ],
    [
      "the same over a port",
      "host/a.ts",
      "for (;;) { const { toolCalls } = await ports.model.answer(q); if (!toolCalls.length) break; q = run(toolCalls); }",
      "an agent loop",
    ],
    ["a computed import", "ledger/a.ts", "await import(name);", "can't be told"],
  ];

  it.each(planted)("finds %s", (_name, path, text, problem) => {
    expect(findViolations([{ path: `${product}/${path}`, text }])).toEqual([
      expect.stringMatching(new RegExp(`^${product}/${path}:1: .*${problem}`)),
    ]);
  });

  it("finds a protocol that imports more than zod", () => {
    const text = 'import * as z from "zod";\nimport { readFileSync } from "node:fs";\nimport "./errors.ts";';
    expect(findViolations([{ path: "packages/protocol/src/a.ts", text }])).toEqual([
      'packages/protocol/src/a.ts:2: protocol imports zod only, not "node:fs"',
    ]);
  });

  it("finds a client that imports more than protocol", () => {
    const text = 'import { OPERATIONS } from "@drydock/protocol/http";\nimport "node:fs";\nimport "./call.ts";';
    expect(findViolations([{ path: "packages/client/src/a.ts", text }])).toEqual([
      'packages/client/src/a.ts:2: the client imports protocol only, not "node:fs"',
    ]);
  });

  it("finds an SDK for runners that imports more than protocol", () => {
    const text =
      'import { RunContext } from "@drydock/protocol/runner";\nimport "json-rpc-2.0";\nimport "node:fs";\nimport "../../drydock/src/index.ts";';
    expect(findViolations([{ path: "packages/runner-sdk/src/a.ts", text }])).toEqual([
      'packages/runner-sdk/src/a.ts:3: the SDK for runners imports protocol and json-rpc-2.0 only, not "node:fs"',
      expect.stringContaining(
        "packages/runner-sdk/src/a.ts:4: packages/drydock/src/index.ts belongs to another package",
      ),
    ]);
  });

  it("finds a console that imports more than protocol, client and its libraries", () => {
    const text =
      'import { createClient } from "@drydock/client";\nimport { useState } from "react";\nimport "drydock";\nimport "../../drydock/src/index.ts";';
    expect(findViolations([{ path: "packages/web/src/a.tsx", text }])).toEqual([
      expect.stringContaining("packages/web/src/a.tsx:3: the console imports protocol, client and a few libraries"),
      expect.stringContaining("packages/web/src/a.tsx:3: the product does not import itself"),
      expect.stringContaining("packages/web/src/a.tsx:4: packages/drydock/src/index.ts belongs to another package"),
    ]);
  });

  const allowed: [name: string, path: string, text: string][] = [
    ["a higher room that uses a lower one's door", "app/a.ts", 'import { x } from "../sandbox/index.ts";'],
    ["a folder of the base from above", "policy/a.ts", 'import { x } from "../base/text/index.ts";'],
    ["a folder of the base from another one", "base/yaml/a.ts", 'import { x } from "../text/index.ts";'],
    ["the protocol in the base", "base/yaml/a.ts", 'import { DrydockError } from "@drydock/protocol";'],
    ["files of one room among themselves", "sandbox/pool/a.ts", 'import { x } from "../layers/b.ts";'],
    ["the library's entry", "index.ts", 'export { createDock } from "./app/index.ts";'],
    ["the package's own manifest", "surfaces/cli/a.ts", 'import p from "../../../package.json" with { type: "json" };'],
    ["the environment in app/config", "app/config/read.ts", "const a = process.env.HOME;"],
    ["processes in the sandbox", "sandbox/a.ts", 'import { spawn } from "node:child_process";'],
    ["a test that starts processes", "ledger/a.test.ts", 'import { fork } from "node:child_process"; process.env.A;'],
    ["a lower room's tools in a test", "engine/a.test.ts", 'import { x } from "../models/testing/a.ts";'],
    ["what only a comment or a string says", "policy/a.ts", '// import "../app/index.ts"\nconst a = "process.env";'],
    ["a use case that uses another's door", "app/goals/a.ts", 'import { x } from "../tasks/api.ts";'],
    ["what all use cases share", "app/goals/a.ts", 'import { x } from "../runs/record-outcome.ts";'],
    ["the place where use cases are put together", "app/create-dock.ts", 'import "./goals/create-goals.ts";'],
    ["the policy's own algebra", "policy/a.ts", "const a = { ...policy, network };"],
    ["what a policy says", "app/a.ts", "const a = policy.network.allow.map(show); options.limits = policy.limits;"],
    ["a policy beside other things", "app/a.ts", "const a = { ...options, policy, network };"],
    [
      "the agent loop",
      "models/agent-loop.ts",
      "for (;;) { const a = await ask(1); for (const c of a.toolCalls) go(c); }",
    ],
    ["a model asked again", "engine/a.ts", "for (;;) { const a = await askModel(q); if (isPlan(a.text)) break; }"],
    ["tool calls in turn", "app/a.ts", "const a = await askModel(q); for (const call of a.toolCalls) show(call);"],
    ["a lazy import of our own", "surfaces/a.ts", 'await import("../app/index.ts");'],
  ];

  it.each(allowed)("lets %s pass", (_name, path, text) => {
    expect(findViolations([{ path: `${product}/${path}`, text }])).toEqual([]);
  });
});
