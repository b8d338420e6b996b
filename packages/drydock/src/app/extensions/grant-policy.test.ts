import { ExtensionPermissions, type PolicyDocument } from "@drydock/protocol";
import { describe, expect, it } from "vitest";
import { resolvePolicy } from "../../policy/index.ts";
import { grantPolicy, presetFor } from "./grant-policy.ts";

const source = (document: PolicyDocument) => ({ file: "policy.yaml", document, positions: {} });

interface Sources {
  home?: PolicyDocument;
  workspace?: PolicyDocument;
  request?: PolicyDocument;
}

function grant(question: Record<string, unknown>, { home, workspace, request }: Sources = {}, timeoutSeconds = 300) {
  const permissions = ExtensionPermissions.parse(question);
  const resolved = resolvePolicy({
    home: home ? source(home) : null,
    workspace: workspace ? source(workspace) : null,
    request,
    preset: presetFor(permissions, timeoutSeconds),
  });
  return grantPolicy(resolved, { extension: "demo", permissions, timeoutSeconds, programs: "declared" });
}

describe("hosts", () => {
  const hosts = ["api.example.org:443", "*.files.example.org:443"];

  it("are those that were agreed to where nobody wrote a list", () => {
    expect(grant({ hosts }).policy.network.allow).toEqual(hosts);
    expect(grant({ hosts: ["policy"] }).policy.network.allow).toEqual([]);
  });

  it("are what both the owner's list and the extension name, however each puts it", () => {
    const home = { network: { allow: ["*.example.org:443", "a.files.example.org:443", "other.org:1"] } };
    const { policy } = grant({ hosts }, { home });
    expect(policy.network.allow).toEqual(["api.example.org:443", "*.files.example.org:443", "a.files.example.org:443"]);
    const few = { network: { allow: ["a.files.example.org:443"] } };
    expect(grant({ hosts }, { home: few }).policy.network.allow).toEqual(["a.files.example.org:443"]);
    expect(grant({ hosts: ["policy"] }, { home: few }).policy.network.allow).toEqual(["a.files.example.org:443"]);
  });

  it("are none where anybody says so: the owner, a workspace, the caller", () => {
    const none = { network: { allow: [] } };
    for (const sources of [{ home: none }, { workspace: none }, { request: none }]) {
      expect(grant({ hosts }, sources).policy.network.allow).toEqual([]);
    }
  });

  it("that are refused say who can change that", () => {
    const { checkHost } = grant({ hosts });
    checkHost("api.example.org", 443);
    expect(() => checkHost("api.example.org", 80)).toThrow(/may not reach api.example.org:80/);
    const home = { network: { allow: [] } };
    expect(() => grant({ hosts }, { home }).checkHost("api.example.org", 443)).toThrow(
      expect.objectContaining({ hint: expect.stringContaining("drydock policy allow network api.example.org:443") }),
    );
  });
});

describe("tools", () => {
  it("are those that were agreed to, by either of their names", () => {
    const { checkCommand } = grant({ tools: ["postman_cli", "jq"] });
    for (const program of ["/extension/tools/postman", "postman_cli", "/usr/bin/jq"]) checkCommand([program, "x"]);
    expect(() => checkCommand(["/usr/bin/curl"])).toThrow(/may not use curl/);
  });

  it("are held against a list that somebody wrote, with their words", () => {
    const request = { commands: { allow: ["git diff *"] } };
    const { checkCommand } = grant({ tools: ["git"] }, { request });
    checkCommand(["/usr/bin/git", "diff", "--stat"]);
    expect(() => checkCommand(["/usr/bin/git", "push"])).toThrow(
      expect.objectContaining({ code: "policy.command_denied" }),
    );
  });
});

describe("variables and limits", () => {
  it("let through what was agreed to beside what every run has, within a list that somebody wrote", () => {
    const environment = ["TOKEN", "OTHER"];
    expect(grant({ environment }).policy.environment.allow).toEqual(["LANG", "LC_*", "TZ", "TOKEN", "OTHER"]);
    const home = { environment: { allow: ["LANG", "TOK*"] } };
    expect(grant({ environment }, { home }).policy.environment.allow).toEqual(["LANG", "TOK*", "TOKEN"]);
  });

  it("give more than usual within the ceiling, and the action's own time", () => {
    const question = { limits: { memoryMb: 2048, processes: 100_000 } };
    const { limits } = grant(question, {}, 20).policy;
    expect(limits).toMatchObject({ memoryMb: 2048, processes: 512, wallSeconds: 20 });
    const request = { limits: { memoryMb: 64, wallSeconds: 600 } };
    expect(grant(question, { request }, 20).policy.limits).toMatchObject({ memoryMb: 64, wallSeconds: 20 });
    expect(limits.cpuSeconds).toBe(20);
    expect(grant({ limits: { cpuSeconds: 3 } }, {}, 20).policy.limits.cpuSeconds).toBe(3);
    expect(grant({ limits: { cpuSeconds: 90_000 } }, {}, 20).policy.limits.cpuSeconds).toBe(3600);
    const home = { limits: { wallSeconds: 5 } };
    expect(grant(question, { home }, 20).policy.limits.wallSeconds).toBe(5);
  });
});
