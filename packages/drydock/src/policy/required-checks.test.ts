import { describe, expect, it } from "vitest";
import { explainPolicy } from "./explain-policy.ts";
import type { PolicySource } from "./load-policy-file.ts";
import { parsePolicyRequest } from "./parse-policy-request.ts";
import { parsePolicyText } from "./parse-policy-text.ts";
import { resolvePolicy } from "./resolve-policy.ts";

const home = (text: string): PolicySource => parsePolicyText("/home/policy.yaml", text);
const workspace = (text: string): PolicySource => parsePolicyText("/project/.drydock/policy.yaml", text);

describe("required checks", () => {
  const ownerText = "checks:\n  required:\n    - pytest -q\n    - { path: LICENSE, type: file_exists }\n";
  const license = '{"type":"file_exists","path":"LICENSE"}';

  it("are those of the owner, then of the workspace, then of the request: each only adds", () => {
    const owner = home(ownerText);
    const local = workspace("checks:\n  required: [npm test, pytest -q]\n");
    const request = parsePolicyRequest({ checks: { required: ["ls"] } });
    const resolved = resolvePolicy({ home: owner, workspace: local, request });
    expect(resolved.effective.checks.required).toEqual(["pytest -q", license, "npm test", "ls"]);
    expect(resolved.required).toEqual([
      { entry: "pytest -q", origin: { source: "home", file: "/home/policy.yaml", line: 3 } },
      { entry: license, origin: { source: "home", file: "/home/policy.yaml", line: 4 } },
      { entry: "npm test", origin: { source: "workspace", file: "/project/.drydock/policy.yaml", line: 2 } },
      { entry: "ls", origin: { source: "request" } },
    ]);
    expect(explainPolicy(resolved).find(({ key }) => key === "checks.required")?.entries).toMatchObject([
      { value: "pytest -q", source: "home", where: "/home/policy.yaml:3" },
      { value: license, source: "home", where: "/home/policy.yaml:4" },
      { value: "npm test", source: "workspace", where: "/project/.drydock/policy.yaml:2" },
      { value: "ls", source: "request", where: "" },
    ]);
  });

  it("can't be taken off by an empty list, nor weakened by the same check as sufficient", () => {
    const owner = home(ownerText);
    const local = workspace("checks: { required: [] }\n");
    expect(resolvePolicy({ home: owner, workspace: local }).effective.checks.required).toEqual(["pytest -q", license]);
    const weaker = workspace('checks: { required: [{ type: command, cmd: "pytest -q", sufficient: true }] }\n');
    expect(resolvePolicy({ home: owner, workspace: weaker }).effective.checks.required).toEqual([
      "pytest -q",
      license,
      '{"type":"command","cmd":"pytest -q","sufficient":true}',
    ]);
  });

  it("of a resolved policy are read back as they are", () => {
    const { effective } = resolvePolicy({ home: home(ownerText) });
    const request = parsePolicyRequest(effective);
    expect(resolvePolicy({ request }).effective.checks.required).toEqual(["pytest -q", license]);
  });
});
