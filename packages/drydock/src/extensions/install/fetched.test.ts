import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { InstallPlan } from "@drydock/protocol";
import { describe, expect, it } from "vitest";
import { sha256 } from "../testing/demo-extension.ts";
import { makeArchive } from "../testing/make-archive.ts";
import { agree, namesIn, useRegistry } from "../testing/use-registry.ts";

const { demo, home, open, place } = useRegistry();

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
    expect(namesIn(join(home(), "extensions", "installed"))).toEqual([]);
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
    expect(namesIn(join(home(), "extensions", "installed"))).toEqual([]);
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
    execFileSync("tar", ["-czf", join(place(), "p.tgz"), "-C", place(), "package"]);
    const bytes = await readFile(join(place(), "p.tgz"));
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
    await expect(silent.add("npm:demo", agree)).rejects.toThrow(/gives no checksum/);
    await expect(silent.add("npm:demo@3.0.0", agree)).rejects.toMatchObject({ code: "extension.not_found" });
  });

  it("can't be fetched where no registry is configured, and says how to configure one", async () => {
    await expect(open().add("npm:@scope/demo", agree)).rejects.toMatchObject({
      code: "input.invalid",
      hint: expect.stringContaining("DRYDOCK_NPM_REGISTRY"),
    });
  });
});
