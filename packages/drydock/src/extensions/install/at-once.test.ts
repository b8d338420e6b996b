import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { agree, idsOf, namesIn, useRegistry } from "../testing/use-registry.ts";

const { demo, home, open, place } = useRegistry();

describe("processes at once", () => {
  const CHILD = fileURLToPath(new URL("../testing/change-and-die.ts", import.meta.url));

  function start(source: string) {
    const words = ["--conditions=drydock-source", "--disable-warning=ExperimentalWarning", CHILD];
    const child = spawn(process.execPath, [...words, home(), "add", source, "never"], { stdio: "ignore" });
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
    expect(namesIn(join(home(), "extensions", "staging"))).toEqual([]);
    expect(namesIn(join(home(), "extensions/installed/demo"))).toHaveLength(2);
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
    await mkdir(home());
    const program = `mount -t tmpfs -o size=2m tmpfs "$1" && shift && exec "$@"`;
    const child = fileURLToPath(new URL("../testing/add-and-tell.ts", import.meta.url));
    const words = [process.execPath, "--conditions=drydock-source", "--disable-warning=ExperimentalWarning", child];
    const reply = execFileSync(
      "unshare",
      ["-rm", "sh", "-c", program, "sh", home(), ...words, home(), join(place(), "d")],
      {
        encoding: "utf8",
      },
    );
    expect(JSON.parse(reply)).toEqual({ code: "limit.disk", extensions: 0, staging: [], installed: [] });
  });
});
