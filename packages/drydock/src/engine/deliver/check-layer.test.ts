import type { LayerEntry } from "@drydock/protocol";
import { describe, expect, it } from "vitest";
import { createPathRules } from "../../policy/index.ts";
import { checkLayer } from "./check-layer.ts";
import { prepareDelivery } from "./testing/delivery-fixture.ts";
import { readTree } from "./testing/trees.ts";

const rules = createPathRules({
  files: { access: true, write: ["src/**"], protect: [".git/**", "src/lock"], hide: ["**/.env"] },
});

function check(entry: Partial<LayerEntry> & { path: string }, denied: string[] = []): string {
  const entries: LayerEntry[] = [{ kind: "added", type: "file", mode: 0o644, sha256: "0".repeat(64), ...entry }];
  const layer = {
    version: 1 as const,
    workspace: "/w",
    baseHash: "",
    treeHash: "",
    changedUnderneath: [],
    denied,
    entries,
  };
  try {
    checkLayer(layer, rules);
    return "delivered";
  } catch (error) {
    return (error as { code: string }).code;
  }
}

describe("what may be delivered", () => {
  it.each([
    ["a path inside the scope", "src/a.py", "delivered"],
    ["one outside of it", "docs/a.md", "policy.path_denied"],
    ["a protected one", "src/lock", "policy.path_denied"],
    ["a hidden one", "src/.env", "policy.path_denied"],
    ["the version store", ".git/config", "policy.path_denied"],
    ["a version store further down", "src/sub/.git/hooks/pre-commit", "policy.path_denied"],
    ["our own directory", "src/.drydock/policy.yaml", "policy.path_denied"],
    ["a way out", "src/../../etc/passwd", "policy.path_denied"],
    ["an absolute path", "/etc/passwd", "policy.path_denied"],
  ])("%s: %s", (_name, path, outcome) => {
    expect(check({ path })).toBe(outcome);
  });

  it("refuses a file that would run with its owner's rights, unless it did before", () => {
    const sha256 = "1".repeat(64);
    expect(check({ path: "src/a", mode: 0o4755 })).toBe("policy.path_denied");
    expect(check({ path: "src/a", kind: "changed", mode: 0o4755, sha256, wasSha256: sha256, wasMode: 0o4755 })).toBe(
      "delivered",
    );
    expect(check({ path: "src/a", kind: "changed", mode: 0o4755, wasSha256: sha256, wasMode: 0o4755 })).toBe(
      "policy.path_denied",
    );
  });

  it("refuses a layer with anything denied, and touches nothing", async () => {
    expect(check({ path: "src/a" }, ["src/b"])).toBe("policy.path_denied");
    const fixture = prepareDelivery({ a: "1" }, { a: "2" });
    const before = readTree(fixture.workspace);
    const delivery = fixture.deliver({ layer: { ...fixture.layer, denied: ["a"] } });
    await expect(delivery).rejects.toMatchObject({ code: "policy.path_denied", data: { paths: ["a"] } });
    expect(readTree(fixture.workspace)).toEqual(before);
  });
});
