import type { ExecResult } from "@drydock/protocol";
import pico from "picocolors";
import { describe, expect, it } from "vitest";
import { renderOutcome, renderValue } from "./render-result.ts";

const colors = pico.createColors(false);

function resultWith(parts: Partial<ExecResult>): ExecResult {
  return {
    ok: true,
    runId: "run_1",
    stdout: "",
    stderr: "",
    result: null,
    error: null,
    artifacts: [],
    changes: [],
    treeHash: "",
    usage: { wallMs: 12.3, cpuMs: 4, peakMemoryBytes: 5_000_000 },
    sandbox: { backend: "namespaces", level: "cgroups" },
    notes: [],
    ...parts,
  };
}

describe("the outcome of a run, for people", () => {
  it("is nothing where nothing happened", () => {
    expect(renderOutcome(resultWith({}), colors)).toBe("");
  });

  it("is what failed, where, and what to do", () => {
    const error = {
      code: "code.exception",
      message: "NameError: no x",
      hint: "Define x.",
      line: 3,
      column: 5,
    } as const;
    expect(renderOutcome(resultWith({ ok: false, error }), colors)).toBe(
      "✗ code.exception — NameError: no x (line 3, column 5)\n  hint: Define x.\n",
    );
  });

  it("lists artifacts and changes, with the run that holds them", () => {
    const artifacts = [{ id: "art_1", name: "chart.png", mime: "image/png", size: 12_595, sha256: "00" }];
    const changes = [
      { path: "a.txt", kind: "added", renamedFrom: "b.txt" },
      { path: "b.txt", kind: "deleted" },
      { path: "c.txt", kind: "changed" },
    ] as const;
    expect(renderOutcome(resultWith({ artifacts, changes: [...changes] }), colors)).toBe(
      [
        "artifacts:",
        "  chart.png (image/png, 12.3 KB)",
        "changes:",
        "  + a.txt (was b.txt)",
        "  - b.txt",
        "  ~ c.txt",
        "run_1",
        "",
      ].join("\n"),
    );
  });

  it("counts what would be too long a list", () => {
    const changes = Array.from({ length: 12 }, (_, index) => ({ path: `f${index}`, kind: "added" as const }));
    expect(renderOutcome(resultWith({ changes }), colors)).toContain("  + f9\n  … and 2 more\nrun_1\n");
  });

  it("says so when there was no sandbox", () => {
    const sandbox = { backend: "unconfined", level: "none" } as const;
    expect(renderOutcome(resultWith({ sandbox }), colors)).toBe("! ran without a sandbox (unconfined)\n");
  });

  it("says more when it is asked to", () => {
    expect(renderOutcome(resultWith({ treeHash: "abc", notes: ["A thread was lost."] }), colors, { debug: true })).toBe(
      [
        "note: A thread was lost.",
        "run_1",
        "sandbox: namespaces, cgroups",
        "used: wall 12 ms, cpu 4.0 ms, peak 4.8 MB",
        "tree: abc",
        "",
      ].join("\n"),
    );
  });

  it("does not let a file's name drive the terminal", () => {
    const changes = [{ path: "\u001b[2Jx\u202ey\udc80\n+ z", kind: "added" as const }];
    expect(renderOutcome(resultWith({ changes }), colors)).toContain("  + \\x1b[2Jx\\u202ey\\udc80 + z\n");
  });
});

describe("the value of a run, for people", () => {
  it.each([
    [null, ""],
    [42, "42\n"],
    ["a\u001b", '"a\\u001b"\n'],
    [{ a: [1] }, '{\n  "a": [\n    1\n  ]\n}\n'],
    [{ type: "object", repr: "<object at 0x7f>" }, "<object at 0x7f>\n"],
    [{ type: "a", repr: "b", more: 1 }, '{\n  "type": "a",\n  "repr": "b",\n  "more": 1\n}\n'],
  ])("%j", (result, text) => {
    expect(renderValue(resultWith({ result }))).toBe(text);
  });
});
