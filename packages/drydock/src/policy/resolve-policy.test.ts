import { DrydockError, EffectivePolicy, LIMIT_KEYS, mapLimits, type PolicyDocument } from "@drydock/protocol";
import { describe, expect, it } from "vitest";
import { explainPolicy } from "./explain-policy.ts";
import type { PolicySource } from "./load-policy-file.ts";
import { parsePolicyText } from "./parse-policy-text.ts";
import { type PolicySources, resolvePolicy } from "./resolve-policy.ts";

const hidden = [
  "**/.env **/.env.* **/?*.env **/.envrc **/*.pem **/id_{rsa,dsa,ecdsa,ed25519,xmss}* **/*.{key,p12,pfx,jks,keystore,ppk,kdbx}",
  "**/.{netrc,npmrc,pypirc,pgpass,git-credentials,vault-token} **/.{ssh,gnupg} **/.aws/credentials **/.cargo/credentials{,.toml}",
  "**/.docker/config.json **/.kube/config **/{service-account,service_account,client_secret}*.json **/*.tfstate{,.*}",
].flatMap((line) => line.split(" "));
const home = (text: string): PolicySource => parsePolicyText("/home/policy.yaml", text);
const workspace = (text: string): PolicySource => parsePolicyText("/project/.drydock/policy.yaml", text);

function refusal(sources: PolicySources): DrydockError {
  try {
    resolvePolicy(sources);
  } catch (error) {
    if (error instanceof DrydockError) return error;
    throw error;
  }
  throw new Error("It was accepted.");
}

describe("without any policy", () => {
  it("the system's defaults hold", () => {
    const { effective, ceiling, origins } = resolvePolicy({});
    for (const policy of [effective, ceiling]) expect(EffectivePolicy.parse(policy)).toEqual(policy);
    expect(effective).toEqual({
      version: 1,
      files: {
        access: true,
        write: ["**"],
        protect: [".git/**", ".drydock/**"],
        hide: hidden,
      },
      commands: { allow: ["*"], deny: [] },
      network: { allow: [], upstreams: [] },
      environment: { allow: ["LANG", "LC_*", "TZ"] },
      python: { enabled: true, guard: "open", imports: { allow: [], block: [] }, calls: { block: [] } },
      limits: mapLimits((_key, row) => row.default),
      sessions: { tasks: 50, idleSeconds: 3600, live: 32 },
      extensions: {
        allow: ["*"],
        approval: "high",
        concurrency: 2,
        total: 4,
        callsPerHour: 1000,
        secondsPerHour: 3600,
      },
      mcp: { allow: ["*"] },
      checks: { required: [] },
      project: { environment: "auto" },
      sandbox: { backends: ["namespaces"], level: "rlimits", toolchains: [], reuse: true, image: "host" },
    });
    expect(origins["limits.wallSeconds"]).toEqual({ source: "system" });
  });

  it("a request may ask for ten minutes, a gigabyte and any guard", () => {
    const request: PolicyDocument = { limits: { wallSeconds: 600, memoryMb: 1024 }, python: { guard: "off" } };
    const { effective, ceiling, origins } = resolvePolicy({ request });
    expect(effective.limits).toMatchObject({ wallSeconds: 600, memoryMb: 1024, cpuSeconds: 300 });
    expect(effective.python.guard).toBe("off");
    expect(ceiling.limits.wallSeconds).toBe(3600);
    expect(origins["limits.wallSeconds"]).toEqual({ source: "request" });
  });

  it("a request for less gets less", () => {
    const request: PolicyDocument = {
      files: { write: ["src/**"], hide: ["*.key"] },
      commands: { allow: ["ls", "npm run build"] },
      environment: { allow: ["LC_ALL"] },
      python: { imports: { allow: ["numpy"], block: ["numpy.f2py"] } },
      sandbox: { level: "cgroups" },
    };
    const { effective } = resolvePolicy({ request });
    expect(effective.files.write).toEqual(["src/**"]);
    expect(effective.files.hide).toEqual([...hidden, "*.key"]);
    expect(effective.commands.allow).toEqual(["ls", "npm run build"]);
    expect(effective.environment.allow).toEqual(["LC_ALL"]);
    expect(effective.python.imports).toEqual({ allow: ["numpy"], block: ["numpy.f2py"] });
    expect(effective.sandbox.level).toBe("cgroups");
  });

  it.each<[PolicyDocument, string, string, string]>([
    [
      { network: { allow: ["a.org:443"] } },
      "policy.network_denied",
      '  network:\n    allow: ["a.org:443"]',
      "drydock policy allow network a.org:443",
    ],
    [
      { limits: { wallSeconds: 7200 } },
      "policy.invalid",
      "  limits:\n    wallSeconds: { max: 7200 }",
      "drydock policy set limits.wallSeconds.max 7200",
    ],
    [
      { sessions: { live: 1000 } },
      "policy.invalid",
      "live: { max: 1000 }",
      "drydock policy set sessions.live.max 1000",
    ],
    [{ environment: { allow: ["HOME"] } }, "policy.invalid", '"HOME"]', "drydock policy allow environment HOME"],
    [
      { sandbox: { backends: ["unconfined"] } },
      "policy.invalid",
      'backends: ["namespaces", "unconfined"]',
      "drydock policy set sandbox.backends",
    ],
    [
      { sandbox: { level: "landlock" } },
      "policy.invalid",
      "level: landlock",
      "drydock policy set sandbox.level landlock",
    ],
  ])(
    "a request for %j is refused with the lines and the command that would allow it",
    (request, code, lines, command) => {
      const error = refusal({ request });
      expect(error.code).toBe(code);
      expect(error.hint).toContain(lines);
      expect(error.hint).toContain(command);
    },
  );

  it("a command that is suggested for a list keeps what the list holds", async () => {
    const error = refusal({ request: { sandbox: { backends: ["unconfined"] } } });
    expect(error.hint).toContain(`drydock policy set sandbox.backends '["namespaces", "unconfined"]'`);
  });

  it("a request for a command that the owner's list lacks is told how the owner allows it", () => {
    const policy = home('commands: { allow: [ls, "git diff *"] }');
    const error = refusal({ home: policy, request: { commands: { allow: ["ls", "npm install *"] } } });
    expect(error.code).toBe("policy.command_denied");
    expect(error.hint).toContain('"git diff *", "npm install *"]');
    expect(error.hint).toContain("drydock policy allow command 'npm install *'");
  });

  it("what one source denies no other allows", () => {
    const policy = home("commands: { deny: [curl] }");
    const request = { commands: { allow: ["curl", "ls"], deny: ["rm"] } };
    const { commands } = resolvePolicy({ home: policy, request }).effective;
    expect(commands).toEqual({ allow: ["curl", "ls"], deny: ["curl", "rm"] });
    expect(refusal({ request: { commands: { deny: ["!curl"] } } }).code).toBe("policy.invalid");
  });

  it("a request can't take an entry off a list of what is denied", () => {
    expect(refusal({ request: { files: { hide: ["!**/.env"] } } }).code).toBe("policy.invalid");
  });
});

describe("the home policy", () => {
  it("may set anything", async () => {
    const policy = await home(`
limits: { wallSeconds: 9000, memoryMb: { default: 100, max: 200 } }
network: { allow: ["*.a.org:443"] }
commands: { allow: ["*"] }
python: { guard: strict, imports: { allow: [numpy] } }
sandbox: { backends: [namespaces, unconfined], level: landlock }
files: { hide: ["!**/.env", secret/**] }
`);
    const { effective, ceiling, origins } = resolvePolicy({ home: policy });
    expect(effective.limits).toMatchObject({ wallSeconds: 9000, memoryMb: 100 });
    expect(ceiling.limits).toMatchObject({ wallSeconds: 9000, memoryMb: 200 });
    expect(effective.network.allow).toEqual(["*.a.org:443"]);
    expect(effective.sandbox).toEqual({
      backends: ["namespaces", "unconfined"],
      level: "landlock",
      toolchains: [],
      reuse: true,
      image: "host",
    });
    expect(effective.files.hide).toEqual([...hidden.filter((name) => name !== "**/.env"), "secret/**"]);
    expect(origins["limits.wallSeconds"]).toEqual({ source: "home", file: "/home/policy.yaml", line: 2 });
    expect(refusal({ home: policy, request: { python: { guard: "open" } } }).code).toBe("policy.invalid");
    expect(refusal({ home: policy, request: { python: { imports: { allow: ["os"] } } } }).code).toBe(
      "policy.import_denied",
    );
    const request: PolicyDocument = {
      network: { allow: ["x.a.org:443"] },
      python: { imports: { allow: ["numpy.linalg"] } },
    };
    const narrowed = resolvePolicy({ home: policy, request }).effective;
    expect(narrowed.network.allow).toEqual(["x.a.org:443"]);
    expect(narrowed.python.imports.allow).toEqual(["numpy.linalg"]);
  });

  it("raises the ceiling with a default above it, and lowers a default with a max below it", async () => {
    const policy = await home("limits: { wallSeconds: { default: 5000 }, cpuSeconds: { max: 10 } }\n");
    const { effective, ceiling, origins } = resolvePolicy({ home: policy });
    expect([effective.limits.wallSeconds, ceiling.limits.wallSeconds]).toEqual([5000, 5000]);
    expect([effective.limits.cpuSeconds, ceiling.limits.cpuSeconds]).toEqual([10, 10]);
    expect(origins["limits.cpuSeconds"]?.source).toBe("home");
  });

  it("may switch file access off, which a request can't undo", async () => {
    const error = refusal({ home: await home("files: { access: false }\n"), request: { files: { access: true } } });
    expect(error.code).toBe("policy.path_denied");
  });

  it("gives a request that asks for no import in particular what the list gives", async () => {
    const policy = await home("python: { imports: { allow: [numpy] } }\n");
    const request: PolicyDocument = { python: { imports: { allow: [] } } };
    expect(resolvePolicy({ home: policy, request }).effective.python.imports.allow).toEqual(["numpy"]);
  });
});

describe("the workspace's policy", () => {
  it("narrows default and ceiling, and a request can't go beyond it", async () => {
    const policy = await workspace("limits:\n  wallSeconds: 20\nfiles:\n  write: [src/**]\n  protect: [docs/**]\n");
    const { effective, ceiling, origins } = resolvePolicy({ workspace: policy });
    expect([effective.limits.wallSeconds, ceiling.limits.wallSeconds]).toEqual([20, 20]);
    expect(effective.files.write).toEqual(["src/**"]);
    expect(effective.files.protect).toEqual([".git/**", ".drydock/**", "docs/**"]);
    expect(origins["limits.wallSeconds"]).toEqual({
      source: "workspace",
      file: "/project/.drydock/policy.yaml",
      line: 2,
    });
    const error = refusal({ workspace: policy, request: { limits: { wallSeconds: 30 } } });
    expect(error.hint).toContain("/project/.drydock/policy.yaml:2");
    expect(error.hint).not.toContain("drydock policy set");
    expect(refusal({ workspace: policy, request: { files: { write: ["lib/**"] } } }).code).toBe("policy.path_denied");
  });

  it("can't raise a default, not even below the ceiling", async () => {
    const policy = await workspace(
      "limits: { wallSeconds: 600, cpuSeconds: { default: 600 } }\npython: { guard: off }\n",
    );
    const { effective, ceiling } = resolvePolicy({ workspace: policy });
    expect(effective.limits).toMatchObject({ wallSeconds: 300, cpuSeconds: 300 });
    expect(ceiling.limits).toMatchObject({ wallSeconds: 600, cpuSeconds: 3600 });
    expect(effective.python.guard).toBe("open");
  });

  it.each([
    ["network:\n  allow:\n    - a.org:443\n", 3, "network.allow: asks for a.org:443", "the ceiling is none"],
    ["limits:\n  wallSeconds: 7200\n", 2, "limits.wallSeconds: asks for 7200", "the ceiling is 3600"],
    ["limits:\n  wallSeconds:\n    max: 7200\n", 3, "limits.wallSeconds: asks for 7200", "the ceiling is 3600"],
    ["commands:\n  allow:\n    - ls\n    - curl\n", 4, "commands.allow: asks for curl", "python3"],
    ["sandbox:\n  level: landlock\n", 2, "sandbox.level: asks for landlock", "the ceiling is rlimits"],
    ["sandbox:\n  backends: [unconfined]\n", 2, "sandbox.backends: asks for unconfined", "namespaces"],
    ["files:\n  protect:\n    - '!.git/**'\n", 3, "files.protect: removes entries (!.git/**)", "may only add"],
  ])("is refused where it asks for more: %j", async (text, line, asks, ceiling) => {
    const owner = home("commands: { allow: [ls, python3] }");
    const error = refusal({ home: owner, workspace: await workspace(text) });
    expect(error.code).toBe("policy.invalid");
    expect(error.message).toContain(`/project/.drydock/policy.yaml:${line}:`);
    expect(error.message).toContain(asks);
    expect(error.message).toContain(ceiling);
  });
});

describe("a preset", () => {
  const preset: PolicyDocument = { python: { guard: "strict" }, limits: { wallSeconds: 30, cpuSeconds: 30 } };

  it("gives other defaults, beyond which a request may still ask", () => {
    const { effective, origins } = resolvePolicy({ preset });
    expect(effective.limits.wallSeconds).toBe(30);
    expect(effective.python.guard).toBe("strict");
    expect(origins["python.guard"]).toEqual({ source: "preset" });
    const request: PolicyDocument = { python: { guard: "off" }, limits: { wallSeconds: 100 } };
    expect(resolvePolicy({ preset, request }).effective).toMatchObject({
      python: { guard: "off" },
      limits: { wallSeconds: 100 },
    });
  });

  it("stays within the ceiling", async () => {
    const policy = await home("limits: { wallSeconds: 10 }\n");
    expect(resolvePolicy({ home: policy, preset }).effective.limits.wallSeconds).toBe(10);
    expect(resolvePolicy({ preset: { network: { allow: ["a.org:1"] } } }).effective.network.allow).toEqual([]);
  });
});

it("explains where each value comes from", async () => {
  const policy = await home("version: 1\nlimits:\n  wallSeconds: { default: 10, max: 20 }\n");
  const rows = explainPolicy(resolvePolicy({ home: policy, request: { limits: { memoryMb: 64 } } }));
  expect(rows.find((row) => row.key === "limits.wallSeconds")).toEqual({
    key: "limits.wallSeconds",
    value: 10,
    ceiling: 20,
    source: "home",
    where: "/home/policy.yaml:3",
  });
  expect(rows.find((row) => row.key === "limits.memoryMb")).toMatchObject({
    value: 64,
    ceiling: 4096,
    source: "request",
    where: "",
  });
  expect(rows.find((row) => row.key === "network.allow")).toMatchObject({ value: [], ceiling: [], source: "system" });
  expect(rows).toHaveLength(31 + LIMIT_KEYS.length);
});
