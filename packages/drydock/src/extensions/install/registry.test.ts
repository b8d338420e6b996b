import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";
import { rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import type { InstallPlan } from "@drydock/protocol";
import { describe, expect, it } from "vitest";
import { agree, idsOf, namesIn, useRegistry } from "../testing/use-registry.ts";

const { demo, home, open, place } = useRegistry();

describe("adding an extension", () => {
  it("shows what it asks for, and installs nothing without consent", async () => {
    const registry = open();
    const permissions = '  hosts: ["api.example.org:443"]\n  secrets: [TOKEN]\n  paths: { write: ["out/**"] }\n';
    const source = await demo("d", { permissions, risk: "high" });
    let plan: InstallPlan | undefined;
    const approve = async (requests: InstallPlan) => {
      plan = requests;
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
    expect(namesIn(join(home(), "extensions", "staging"))).toEqual([]);
    expect(namesIn(join(home(), "extensions", "installed"))).toEqual([]);
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
    expect(statSync(join(home(), "extensions/registry.json")).mode & 0o777).toBe(0o600);
    expect((await registry.routes()).map(({ extension, command }) => `${extension} /${command.name}`)).toEqual([
      "demo /demo",
    ]);
  });

  it("takes archives, with or without a folder around everything", async () => {
    const source = await demo("package");
    for (const [file, args] of [
      ["a.tgz", ["-czf", join(place(), "a.tgz"), "-C", place(), "package"]],
      ["b.tar", ["-cf", join(place(), "b.tar"), "-C", source, "."]],
    ] as const) {
      execFileSync("tar", [...args]);
      const registry = open();
      await registry.add(join(place(), file), agree);
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
    await expect(open().add(join(place(), "e"), agree)).rejects.toThrow(/symbolic link/);
    await expect(open().add(join(place(), "nothing"), agree)).rejects.toMatchObject({ code: "input.invalid" });
    await expect(open().add(join(place(), "nothing.tgz"), agree)).rejects.toMatchObject({ code: "input.invalid" });
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
      message: "The command /shared of the extension second is already used by the extension demo.",
    });
    expect(await idsOf(registry)).toEqual(["demo 1.0.0 enabled"]);
    await registry.disable("demo");
    await registry.add(second, agree);
    await expect(registry.enable("demo")).rejects.toMatchObject({ code: "extension.conflict" });
  });

  it("refuses an id that is installed already, or that comes with Drydock", async () => {
    await demo("built-in/demo", { version: "9.0.0" });
    const builtIns = join(place(), "built-in");
    await expect(open({ builtIns }).add(await demo("d"), agree)).rejects.toMatchObject({ code: "extension.conflict" });
    const registry = open();
    await registry.add(join(place(), "d"), agree);
    await expect(registry.add(join(place(), "d"), agree)).rejects.toThrow(/installed already \(version 1\.0\.0\)/);
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
    expect(namesIn(join(home(), "extensions", "staging"))).toEqual([]);
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
    const requests: string[][] = [];
    const approve = async ({ added, installed }: InstallPlan) => {
      expect(installed?.manifest.version).toBe("2.0.0");
      requests.push(added);
      return false;
    };
    const more = await demo("v3", { version: "3.0.0", permissions: "  secrets: [TOKEN]\n" });
    await expect(registry.update("demo", { approve, source: more })).rejects.toMatchObject({
      code: "policy.approval_denied",
    });
    expect(requests).toEqual([["secret TOKEN", "command /demo say (low risk)"]]);
    expect(await idsOf(registry)).toEqual(["demo 2.0.0 enabled"]);
    expect(namesIn(join(home(), "extensions/installed/demo"))).toHaveLength(2);
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

describe("extensions that come with Drydock", () => {
  it("are there without being installed, can be disabled, and neither updated nor removed", async () => {
    await demo("built-in/demo", { version: "9.0.0" });
    const registry = open({ builtIns: join(place(), "built-in") });
    expect(await idsOf(registry)).toEqual(["demo 9.0.0 enabled"]);
    await registry.disable("demo");
    expect(await registry.routes()).toEqual([]);
    await expect(registry.verify("demo")).rejects.toMatchObject({ code: "extension.disabled" });
    await expect(registry.remove("demo")).rejects.toThrow(/can't be removed/);
    await expect(registry.update("demo", agree)).rejects.toThrow(/can't be updated/);
    await registry.enable("demo");
    expect(await registry.routes()).toHaveLength(1);
  });

  it("that come with a newer Drydock take nothing away from what was installed before", async () => {
    await open().add(await demo("d", { aliases: ["shared"] }), agree);
    await demo("built-in/demo", { version: "9.0.0" });
    await demo("built-in/other", { id: "other", command: "shared" });
    const registry = open({ builtIns: join(place(), "built-in") });
    expect(await idsOf(registry)).toEqual(["demo 1.0.0 enabled", "other 1.0.0 disabled"]);
    expect((await registry.routes()).map(({ extension }) => extension)).toEqual(["demo"]);
    await expect(registry.enable("other")).rejects.toMatchObject({ code: "extension.conflict" });
    await registry.remove("demo");
    expect(await idsOf(registry)).toEqual(["demo 9.0.0 enabled", "other 1.0.0 enabled"]);
  });
});
