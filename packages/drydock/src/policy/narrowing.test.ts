import { DrydockError, type EffectivePolicy, type PolicyDocument } from "@drydock/protocol";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { PolicySource } from "./load-policy-file.ts";
import { POLICY_KEYS, readPolicyPath } from "./policy-keys.ts";
import { type PolicySources, type ResolvedPolicy, resolvePolicy } from "./resolve-policy.ts";
import { permitsCommand } from "./rules/command-rules.ts";
import { pickEnvironment } from "./rules/environment-rules.ts";
import { matchHost } from "./rules/host-rules.ts";
import { coversImport } from "./rules/import-rules.ts";
import { createPathRules } from "./rules/path-rules.ts";
import type { PolicyValue } from "./scales.ts";

const some = <T>(...values: T[]) => fc.uniqueArray(fc.constantFrom(...values), { maxLength: 3 });

function ranged<T>(value: fc.Arbitrary<T>) {
  return fc.oneof(value, fc.record({ default: value }), fc.record({ max: value }));
}

const optional = { requiredKeys: [] as [] };
const paths = some("**", "src/**", "src/a/*.py", "docs/*", "*.md");
const CHECKS = ["pytest -q", "npm test", '{"type":"file_exists","path":"LICENSE"}'];
type Range = <T>(value: fc.Arbitrary<T>) => fc.Arbitrary<T | { default: T } | { max: T }>;

/** Files may set default and max apart; a request names what it wants. */
function createDocument(ranged: Range): fc.Arbitrary<PolicyDocument> {
  const number = ranged(fc.constantFrom(1, 10, 300, 600, 3600, 5000));
  return fc.record(
    {
      files: fc.record({ access: ranged(fc.boolean()), write: ranged(paths), protect: paths, hide: paths }, optional),
      commands: fc.record(
        {
          allow: ranged(some("ls", "npm *", "npm run *", "npm test", "*", "curl")),
          deny: some("curl", "npm run *", "ls"),
        },
        optional,
      ),
      network: fc.record(
        { allow: ranged(some("a.org:443", "*.org:443", "*.a.org:*", "b.a.org:443", "*:*")) },
        optional,
      ),
      environment: fc.record({ allow: ranged(some("LANG", "LC_*", "LC_ALL", "HOME", "*")) }, optional),
      python: fc.record(
        {
          guard: ranged(fc.constantFrom("strict" as const, "open" as const, "off" as const)),
          imports: fc.record({ allow: some("os", "os.path", "numpy"), block: some("os", "sys") }, optional),
        },
        optional,
      ),
      limits: fc.record({ wallSeconds: number, memoryMb: number }, optional),
      checks: fc.record({ required: some(...CHECKS) }, optional),
      sandbox: fc.record(
        {
          backends: fc.constantFrom(["namespaces" as const], ["namespaces" as const, "unconfined" as const]),
          level: fc.constantFrom("cgroups" as const, "rlimits" as const, "landlock" as const),
        },
        optional,
      ),
    },
    optional,
  );
}

const document = createDocument(ranged);
const source = (file: string) =>
  fc.option(document.map((written): PolicySource => ({ file, document: written, positions: {} })));

function tryResolve(sources: PolicySources): ResolvedPolicy | undefined {
  try {
    return resolvePolicy(sources);
  } catch (error) {
    if (error instanceof DrydockError) return undefined;
    throw error;
  }
}

/** Everything out of a fixed set of deeds that a policy permits. */
function listPermitted(policy: EffectivePolicy): string[] {
  const rules = createPathRules(policy);
  const paths = ["src", "src/a/x.py", "docs/a", "README.md", ".git/config", "src/.env"];
  const commands = [["ls"], ["npm", "run", "x"], ["npm", "test"], ["npm"], ["curl"]];
  const hosts: [string, number][] = [
    ["a.org", 443],
    ["b.a.org", 443],
    ["c.org", 443],
    ["b.a.org", 22],
    ["10.0.0.1", 80],
  ];
  const environment = { LANG: "", LC_ALL: "", HOME: "", SECRET: "" };
  const { allow, block } = policy.python.imports;
  const mayImport = (name: string) =>
    (allow.length === 0 || allow.some((entry) => coversImport(entry, name))) &&
    !block.some((entry) => coversImport(entry, name));
  return [
    ...paths.filter(rules.writable).map((path) => `write ${path}`),
    ...paths.filter((path) => !rules.hidden(path)).map((path) => `see ${path}`),
    ...commands.filter((argv) => permitsCommand(policy.commands, argv)).map((argv) => `run ${argv.join(" ")}`),
    ...hosts.filter(([host, port]) => matchHost(policy.network.allow, host, port)).map((to) => `reach ${to.join(":")}`),
    ...Object.keys(pickEnvironment(policy.environment.allow, environment)).map((name) => `know ${name}`),
    ...["os", "os.path", "numpy", "sys", "json"].filter(mayImport).map((name) => `import ${name}`),
    ...["strict", "open", "off"].slice(0, ["strict", "open", "off"].indexOf(policy.python.guard) + 1),
    ...["cgroups", "rlimits", "landlock"].slice(
      0,
      ["cgroups", "rlimits", "landlock"].indexOf(policy.sandbox.level) + 1,
    ),
    ...policy.sandbox.backends,
    ...CHECKS.filter((check) => !policy.checks.required.includes(check)).map((check) => `deliver without ${check}`),
    ...(policy.files.access ? ["access"] : []),
    ...[1, 10, 300, 600, 3600, 5000].filter((n) => n <= policy.limits.wallSeconds).map((n) => `wall ${n}`),
    ...[1, 10, 300, 600, 3600, 5000].filter((n) => n <= policy.limits.memoryMb).map((n) => `memory ${n}`),
  ];
}

const sources = fc.record({
  home: source("home.yaml"),
  workspace: source("workspace.yaml"),
  preset: fc.option(document, { nil: undefined }),
  request: fc.option(
    createDocument((value) => value),
    { nil: undefined },
  ),
});

it("the effective policy never permits what the ceiling does not", () => {
  let resolvedCount = 0;
  fc.assert(
    fc.property(sources, (given) => {
      const resolved = tryResolve(given);
      if (!resolved) return;
      resolvedCount++;
      const permitted = new Set(listPermitted(resolved.ceiling));
      expect(listPermitted(resolved.effective).filter((deed) => !permitted.has(deed))).toEqual([]);
      for (const key of POLICY_KEYS) {
        const value = readPolicyPath(resolved.effective, key.path) as PolicyValue;
        const ceiling = readPolicyPath(resolved.ceiling, key.path) as PolicyValue;
        const nothing = JSON.stringify(value) === '["-"]';
        expect([key.path, nothing || key.scale.within(value, ceiling)]).toEqual([key.path, true]);
      }
    }),
    { numRuns: 2000 },
  );
  expect(resolvedCount).toBeGreaterThan(20);
});

it("a workspace's policy never permits more than there would be without it", () => {
  let resolvedCount = 0;
  fc.assert(
    fc.property(sources, (given) => {
      const narrowed = tryResolve(given);
      if (!narrowed) return;
      resolvedCount++;
      const free = tryResolve({ ...given, workspace: null });
      if (!free) throw new Error("What the workspace narrows was refused without it.");
      for (const part of ["effective", "ceiling"] as const) {
        const permitted = new Set(listPermitted(free[part]));
        expect(listPermitted(narrowed[part]).filter((deed) => !permitted.has(deed))).toEqual([]);
      }
    }),
    { numRuns: 2000 },
  );
  expect(resolvedCount).toBeGreaterThan(20);
});

it("a preset that shares no import with the ceiling permits none, rather than all", () => {
  const workspace = { file: "workspace.yaml", document: { python: { imports: { allow: ["numpy"] } } }, positions: {} };
  const { effective } = resolvePolicy({ workspace, preset: { python: { imports: { allow: ["os"] } } } });
  expect(listPermitted(effective).filter((deed) => deed.startsWith("import"))).toEqual([]);
});

it("without a home policy nothing reaches the network or leaves the sandbox", () => {
  fc.assert(
    fc.property(sources, (given) => {
      const resolved = tryResolve({ ...given, home: null });
      if (!resolved) return;
      expect(resolved.effective.network.allow).toEqual([]);
      expect(resolved.effective.sandbox.backends).toEqual(["namespaces"]);
      expect(resolved.effective.files.protect).toContain(".git/**");
    }),
    { numRuns: 300 },
  );
});
