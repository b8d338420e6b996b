import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, statSync } from "node:fs";
import { appendFile, chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createRegistry } from "./create-registry.ts";
import { type DemoOptions, sha256, writeDemo } from "./testing/demo-extension.ts";
import { makeArchive } from "./testing/make-archive.ts";
import type { Download, InstallPlan, Registry } from "./types.ts";

let place = "";
let home = "";
beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), "drydock-registry-"));
  home = join(place, "home");
});
afterEach(() => rm(place, { recursive: true, force: true }));

interface Surroundings {
  builtIns?: string | null;
  files?: Record<string, Uint8Array>;
  npm?: string | null;
}

/** What a download gives stands here: fetching itself is the sandbox's, and tested with it. */
function open({ builtIns = null, files = {}, npm = null }: Surroundings = {}): Registry & { fetched: string[] } {
  const fetched: string[] = [];
  const download = async ({ url }: Download) => {
    fetched.push(url);
    const bytes = files[url];
    if (!bytes) throw new Error(`nothing at ${url}`);
    return bytes;
  };
  return Object.assign(createRegistry({ home, builtInDirectory: builtIns, download, npmRegistry: async () => npm }), {
    fetched,
  });
}

const agree = { approve: async () => true };
const demo = (name: string, options?: DemoOptions) => writeDemo(join(place, name), options);
const idsOf = async (registry: Registry) =>
  (await registry.list()).map(({ manifest, state }) => `${manifest.id} ${manifest.version} ${state}`);
const namesIn = (path: string) => (existsSync(path) ? readdirSync(path) : []);

describe("adding an extension", () => {
  it("shows what it asks for, and installs nothing without consent", async () => {
    const registry = open();
    const permissions = '  hosts: ["api.example.org:443"]\n  secrets: [TOKEN]\n  paths: { write: ["out/**"] }\n';
    const source = await demo("d", { permissions, risk: "high" });
    let plan: InstallPlan | undefined;
    const approve = async (asked: InstallPlan) => {
      plan = asked;
      return false;
    };
    await expect(registry.add(source, { approve })).rejects.toMatchObject({ code: "policy.approval_denied" });
    expect(plan?.added).toEqual([
      "tool demo",
      "host api.example.org:443",
      "secret TOKEN",
      "write out/**",
      "command /demo say (high risk)",
    ]);
    expect(await registry.list()).toEqual([]);
    expect(namesIn(join(home, "extensions", "staging"))).toEqual([]);
    expect(namesIn(join(home, "extensions", "installed"))).toEqual([]);
  });

  it("keeps a copy of its own that nobody else can write, and remembers where it came from", async () => {
    const registry = open();
    const source = await demo("d");
    await registry.add(source, { ...agree, by: "maria" });
    await rm(source, { recursive: true });
    const record = await registry.verify("demo");
    expect(record).toMatchObject({ source, installedBy: "maria", builtIn: false, state: "enabled" });
    expect(execFileSync(join(record.directory, "tools/demo"), ["hi"], { encoding: "utf8" })).toBe("demo 1.0.0 hi\n");
    expect(statSync(join(record.directory, "tools/demo")).mode & 0o777).toBe(0o555);
    expect(statSync(join(record.directory, "commands.yaml")).mode & 0o777).toBe(0o444);
    expect(statSync(join(home, "extensions/registry.json")).mode & 0o777).toBe(0o600);
    expect((await registry.routes()).map(({ extension, command }) => `${extension} /${command.name}`)).toEqual([
      "demo /demo",
    ]);
  });

  it("takes archives, with or without a folder around everything", async () => {
    const source = await demo("package");
    for (const [file, args] of [
      ["a.tgz", ["-czf", join(place, "a.tgz"), "-C", place, "package"]],
      ["b.tar", ["-cf", join(place, "b.tar"), "-C", source, "."]],
    ] as const) {
      execFileSync("tar", [...args]);
      const registry = open();
      await registry.add(join(place, file), agree);
      expect(await idsOf(registry)).toEqual(["demo 1.0.0 enabled"]);
      await registry.remove("demo");
    }
  });

  it("refuses what is no valid extension, naming file, line and field", async () => {
    const source = await demo("d", { risk: "hihg" });
    await expect(open().add(source, agree)).rejects.toMatchObject({
      code: "extension.invalid",
      message: expect.stringMatching(/commands\.yaml:9:9: commands\[0\]\.actions\[0\]\.risk/),
    });
    await symlink("/etc/passwd", join(await demo("e"), "docs/link"));
    await expect(open().add(join(place, "e"), agree)).rejects.toThrow(/symbolic link/);
    await expect(open().add(join(place, "nothing"), agree)).rejects.toMatchObject({ code: "input.invalid" });
    await expect(open().add(join(place, "nothing.tgz"), agree)).rejects.toMatchObject({ code: "input.invalid" });
  });

  it("refuses one that is made for another machine", async () => {
    const other = process.arch === "x64" ? "linux-arm64" : "linux-x64";
    const source = await demo("d", { install: `platforms: [${other}]\n` });
    await expect(open().add(source, agree)).rejects.toThrow(new RegExp(`is for ${other}`));
  });

  it("refuses a command that another extension has, and names both", async () => {
    const registry = open();
    await registry.add(await demo("a", { aliases: ["shared"] }), agree);
    const second = await demo("b", { id: "second", command: "shared" });
    await expect(registry.add(second, agree)).rejects.toMatchObject({
      code: "extension.conflict",
      message: "The command /shared of the extension second belongs to the extension demo already.",
    });
    expect(await idsOf(registry)).toEqual(["demo 1.0.0 enabled"]);
    await registry.disable("demo");
    await registry.add(second, agree);
    await expect(registry.enable("demo")).rejects.toMatchObject({ code: "extension.conflict" });
  });

  it("refuses an id that is installed already, or that comes with Drydock", async () => {
    await demo("built-in/demo", { version: "9.0.0" });
    const builtIns = join(place, "built-in");
    await expect(open({ builtIns }).add(await demo("d"), agree)).rejects.toMatchObject({ code: "extension.conflict" });
    const registry = open();
    await registry.add(join(place, "d"), agree);
    await expect(registry.add(join(place, "d"), agree)).rejects.toThrow(/installed already \(version 1\.0\.0\)/);
  });

  it("can be cancelled at any time, and leaves nothing", async () => {
    const registry = open();
    const source = await demo("d");
    const controller = new AbortController();
    const approve = async () => {
      controller.abort();
      return true;
    };
    await expect(registry.add(source, { approve, signal: controller.signal })).rejects.toMatchObject({
      code: "run.cancelled",
    });
    expect(await registry.list()).toEqual([]);
    expect(namesIn(join(home, "extensions", "staging"))).toEqual([]);
  });
});

describe("install steps", () => {
  const url = "https://tools.example.org/demo.tgz";
  const stepOf = (hash: string, more = "") =>
    `install:\n  - url: ${url}\n    sha256: "${hash}"\n    to: tools\n    unpack: tar.gz\n${more}`;

  it("fetch what they name once it was agreed to, and unpack it into the extension's own folder", async () => {
    const archive = makeArchive({
      kind: "tar.gz",
      entries: [{ name: "demo", content: "#!/bin/sh\necho $1\n", mode: 0o755 }],
    });
    const registry = open({ files: { [url]: archive } });
    const source = await demo("d", { install: stepOf(sha256(archive)) });
    const approve = async ({ added }: InstallPlan) => {
      expect(registry.fetched).toEqual([]);
      expect(added).toContain(`download ${url} (sha256 ${sha256(archive)})`);
      return true;
    };
    await registry.add(source, { approve });
    expect(registry.fetched).toEqual([url]);
    const { directory } = await registry.verify("demo");
    expect(execFileSync(join(directory, "tools/demo"), ["hi"], { encoding: "utf8" })).toBe("hi\n");
  });

  it("install nothing where the hash is a lie", async () => {
    const archive = makeArchive({ kind: "tar.gz", entries: [{ name: "demo", content: "evil", mode: 0o755 }] });
    const registry = open({ files: { [url]: archive } });
    const source = await demo("d", { install: stepOf("ab".repeat(32)) });
    await expect(registry.add(source, agree)).rejects.toMatchObject({
      code: "extension.invalid",
      data: { expected: "ab".repeat(32), actual: sha256(archive) },
    });
    expect(await registry.list()).toEqual([]);
    expect(namesIn(join(home, "extensions", "installed"))).toEqual([]);
  });

  it("never write outside of the extension's folder, or over one of its files", async () => {
    for (const [entry, expected] of [
      ["../../escape", /leads upwards/],
      ["there", /would overwrite tools\/there/],
    ] as const) {
      const archive = makeArchive({ kind: "tar.gz", entries: [{ name: entry, content: "x" }] });
      const registry = open({ files: { [url]: archive } });
      const source = await demo(`d-${entry.length}`, {
        install: stepOf(sha256(archive)),
        files: { "tools/there": "mine" },
      });
      await expect(registry.add(source, agree)).rejects.toThrow(expected);
    }
    expect(namesIn(join(home, "extensions", "installed"))).toEqual([]);
  });

  it("of other platforms are left out", async () => {
    const other = process.arch === "x64" ? "linux-arm64" : "linux-x64";
    const registry = open();
    await registry.add(await demo("d", { install: stepOf("ab".repeat(32), `    platforms: [${other}]\n`) }), agree);
    expect(registry.fetched).toEqual([]);
  });
});

describe("an npm package", () => {
  const npm = "https://npm.example.org/base";
  const metadata = (integrity: string | undefined, tarball = "https://elsewhere.example/base/demo/-/demo-1.0.0.tgz") =>
    Buffer.from(
      JSON.stringify({
        "dist-tags": { latest: "1.0.0" },
        versions: { "1.0.0": { dist: { tarball, integrity } } },
      }),
    );
  const where = `${npm}/demo/-/demo-1.0.0.tgz`;

  async function pack(): Promise<{ bytes: Buffer; integrity: string }> {
    await demo("package");
    execFileSync("tar", ["-czf", join(place, "p.tgz"), "-C", place, "package"]);
    const bytes = await readFile(join(place, "p.tgz"));
    const { createHash } = await import("node:crypto");
    return { bytes, integrity: `sha512-${createHash("sha512").update(bytes).digest("base64")}` };
  }

  it("is fetched from the configured registry alone, and held against its hash", async () => {
    const { bytes, integrity } = await pack();
    const registry = open({ npm, files: { [`${npm}/demo`]: metadata(integrity), [where]: bytes } });
    const installed = await registry.add("npm:demo", agree);
    expect(installed.source).toBe("npm:demo");
    expect(registry.fetched).toEqual([`${npm}/demo`, where]);
  });

  it("that is not what the registry says, or without a hash, is refused", async () => {
    const { bytes, integrity } = await pack();
    const lying = open({ npm, files: { [`${npm}/demo`]: metadata(integrity), [where]: Buffer.from("other") } });
    await expect(lying.add("npm:demo", agree)).rejects.toThrow(/not what the registry says/);
    const silent = open({ npm, files: { [`${npm}/demo`]: metadata(undefined), [where]: bytes } });
    await expect(silent.add("npm:demo", agree)).rejects.toThrow(/names no hash/);
    await expect(silent.add("npm:demo@3.0.0", agree)).rejects.toMatchObject({ code: "extension.not_found" });
  });

  it("can't be fetched where no registry is configured, and says how to configure one", async () => {
    await expect(open().add("npm:@scope/demo", agree)).rejects.toMatchObject({
      code: "input.invalid",
      hint: expect.stringContaining("DRYDOCK_NPM_REGISTRY"),
    });
  });
});

describe("updating an extension", () => {
  it("asks only if it wants more, and a lower risk is more", async () => {
    const registry = open();
    await registry.add(await demo("v1", { risk: "high" }), agree);
    const refuse = {
      approve: async () => {
        throw new Error("nobody should have been asked");
      },
    };
    const same = await demo("v2", { version: "2.0.0", risk: "high" });
    expect((await registry.update("demo", { ...refuse, source: same })).manifest.version).toBe("2.0.0");
    const asked: string[][] = [];
    const approve = async ({ added, installed }: InstallPlan) => {
      expect(installed?.manifest.version).toBe("2.0.0");
      asked.push(added);
      return false;
    };
    const more = await demo("v3", { version: "3.0.0", permissions: "  secrets: [TOKEN]\n" });
    await expect(registry.update("demo", { approve, source: more })).rejects.toMatchObject({
      code: "policy.approval_denied",
    });
    expect(asked).toEqual([["secret TOKEN", "command /demo say (low risk)"]]);
    expect(await idsOf(registry)).toEqual(["demo 2.0.0 enabled"]);
    expect(namesIn(join(home, "extensions/installed/demo"))).toHaveLength(2);
  });

  it("takes it from where it came from, keeps it disabled, and takes no other extension's place", async () => {
    const registry = open();
    const source = await demo("d");
    await registry.add(source, agree);
    await registry.disable("demo");
    await demo("d", { version: "1.1.0" });
    await registry.update("demo", agree);
    expect(await idsOf(registry)).toEqual(["demo 1.1.0 disabled"]);
    const other = await demo("o", { id: "other" });
    await expect(registry.update("demo", { ...agree, source: other })).rejects.toMatchObject({
      code: "extension.conflict",
    });
    await expect(registry.update("demmo", agree)).rejects.toMatchObject({
      code: "extension.not_found",
      hint: expect.stringContaining("Did you mean demo?"),
    });
  });
});

describe("an installed extension whose files were changed", () => {
  const changes: [what: string, change: (directory: string) => Promise<unknown>, told: RegExp][] = [
    [
      "changed",
      (d) => chmod(join(d, "tools/demo"), 0o755).then(() => appendFile(join(d, "tools/demo"), "evil")),
      /tools\/demo changed/,
    ],
    ["added", (d) => writeFile(join(d, "tools/curl"), "evil", { mode: 0o755 }), /tools\/curl added/],
    ["removed", (d) => rm(join(d, "docs/USAGE.md")), /docs\/USAGE.md removed/],
    ["replaced by a link", (d) => symlink("/bin/sh", join(d, "tools/sh")), /tools\/sh is a symbolic link/],
    ["given an executable bit", (d) => chmod(join(d, "docs/USAGE.md"), 0o555), /docs\/USAGE.md changed/],
    ["all removed", (d) => rm(d, { recursive: true }), /can't be read/],
  ];

  it.each(changes)(
    "(%s) is quarantined with its next use, also in a process that used it before",
    async (_what, change, told) => {
      const registry = open();
      await registry.add(await demo("d"), agree);
      const { directory } = await registry.verify("demo");
      await change(directory);
      await expect(registry.verify("demo")).rejects.toMatchObject({
        code: "extension.quarantined",
        message: expect.stringMatching(told),
        hint: expect.stringContaining("drydock ext update demo"),
      });
      expect(await registry.routes()).toEqual([]);
      const [listed] = await open().list();
      expect(listed).toMatchObject({ state: "quarantined", problem: expect.stringMatching(told) });
      await expect(registry.enable("demo")).rejects.toMatchObject({ code: "extension.quarantined" });
    },
  );

  it("can be used again once it is installed again, and not by putting the files back", async () => {
    const registry = open();
    await registry.add(await demo("d"), agree);
    const { directory } = await registry.verify("demo");
    await writeFile(join(directory, "tools/extra"), "x");
    await expect(registry.verify("demo")).rejects.toMatchObject({ code: "extension.quarantined" });
    await rm(join(directory, "tools/extra"));
    await expect(open().verify("demo")).rejects.toMatchObject({ code: "extension.quarantined" });
    await registry.update("demo", { approve: () => Promise.reject(new Error("nobody should have been asked")) });
    await open().verify("demo");
    expect(namesIn(join(home, "extensions/installed/demo"))).toHaveLength(2);
  });

  it("is found changed by a list of files that was changed along with it", async () => {
    const registry = open();
    await registry.add(await demo("d"), agree);
    const { directory } = await registry.verify("demo");
    await writeFile(join(directory, "tools/extra"), "x");
    await chmod(`${directory}.files.json`, 0o600);
    await writeFile(`${directory}.files.json`, "[]");
    await expect(registry.verify("demo")).rejects.toThrow(/not those that were installed/);
  });
});

describe("extensions that come with Drydock", () => {
  it("are there without being installed, can be disabled, and neither updated nor removed", async () => {
    await demo("built-in/demo", { version: "9.0.0" });
    const registry = open({ builtIns: join(place, "built-in") });
    expect(await idsOf(registry)).toEqual(["demo 9.0.0 enabled"]);
    await registry.disable("demo");
    expect(await registry.routes()).toEqual([]);
    await expect(registry.verify("demo")).rejects.toMatchObject({ code: "extension.disabled" });
    await expect(registry.remove("demo")).rejects.toThrow(/can't be removed/);
    await expect(registry.update("demo", agree)).rejects.toThrow(/can't be updated/);
    await registry.enable("demo");
    expect(await registry.routes()).toHaveLength(1);
  });
});

describe("processes at once", () => {
  const CHILD = join(import.meta.dirname, "testing", "change-and-die.ts");

  function start(source: string) {
    const words = ["--conditions=drydock-source", "--disable-warning=ExperimentalWarning", CHILD];
    const child = spawn(process.execPath, [...words, home, "add", source, "never"], { stdio: "ignore" });
    return once(child, "close").then(([status]) => status as number | null);
  }

  it("that add different extensions both succeed; of two that add the same, one does", async () => {
    const sources = [await demo("a"), await demo("a2"), await demo("b", { id: "second" })];
    const statuses = await Promise.all(sources.map(start));
    expect(statuses.filter((status) => status === 0)).toHaveLength(2);
    const registry = open();
    expect(await idsOf(registry)).toEqual(["demo 1.0.0 enabled", "second 1.0.0 enabled"]);
    await registry.verify("demo");
    await registry.verify("second");
    expect(namesIn(join(home, "extensions", "staging"))).toEqual([]);
    expect(namesIn(join(home, "extensions/installed/demo"))).toHaveLength(2);
  });

  it("see at once what another one did", async () => {
    const [one, two] = [open(), open()];
    await one.add(await demo("d"), agree);
    const before = await two.routes();
    expect(before).toHaveLength(1);
    expect(await two.routes()).toBe(before);
    await one.disable("demo");
    expect(await two.routes()).toHaveLength(0);
    await one.remove("demo");
    await expect(two.verify("demo")).rejects.toMatchObject({ code: "extension.not_found" });
  });

  it("leave alone what another one is still putting together", async () => {
    const source = await demo("d");
    const registry = open();
    const approve = async () => {
      await open().list();
      await open().add(await demo("b", { id: "second" }), agree);
      return true;
    };
    await registry.add(source, { approve });
    expect(await idsOf(registry)).toEqual(["demo 1.0.0 enabled", "second 1.0.0 enabled"]);
  });
});

describe("a disk that is full", () => {
  it("leaves everything as it was, and says so", async () => {
    await demo("d", { files: { "tools/large": "x".repeat(3_000_000) } });
    await mkdir(home);
    const program = `mount -t tmpfs -o size=2m tmpfs "$1" && shift && exec "$@"`;
    const child = join(import.meta.dirname, "testing", "add-and-tell.ts");
    const words = [process.execPath, "--conditions=drydock-source", "--disable-warning=ExperimentalWarning", child];
    const told = execFileSync("unshare", ["-rm", "sh", "-c", program, "sh", home, ...words, home, join(place, "d")], {
      encoding: "utf8",
    });
    expect(JSON.parse(told)).toEqual({ code: "limit.disk", extensions: 0, staging: [], installed: [] });
  });
});
