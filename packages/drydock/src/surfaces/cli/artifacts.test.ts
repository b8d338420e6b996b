import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { createDock } from "../../app/index.ts";
import { runCli, runJson } from "./testing/run-cli.ts";
import { useHome } from "./testing/use-home.ts";

const home = useHome();
let runId: string;

beforeAll(async () => {
  const code = "import os; os.mkdir('d'); open('d/a.txt', 'w').write('A'); open('b.csv', 'w').write('x,y')";
  runId = String((await runJson("exec", "-c", code)).value.runId);
});

describe("drydock runs artifacts", () => {
  it("lists what a run left", async () => {
    const { status, stdout } = await runCli("runs", "artifacts", runId);
    expect({ status, stdout }).toEqual({ status: 0, stdout: "b.csv (text/csv, 3 B)\nd/a.txt (text/plain, 1 B)\n" });
  });

  it("writes it into a directory, and replaces nothing there", async () => {
    const directory = join(home(), "out");
    const { status, stdout } = await runCli("runs", "artifacts", runId, "--out", directory);
    expect({ status, stdout }).toEqual({ status: 0, stdout: `${directory}/b.csv\n${directory}/d/a.txt\n` });
    expect(readFileSync(join(directory, "d", "a.txt"), "utf8")).toBe("A");
    const again = await runJson("runs", "artifacts", runId, "--out", directory);
    expect(again).toMatchObject({ status: 2, value: { error: { code: "input.invalid" } } });
  });

  it("follows no link below that directory, which may be one itself", async () => {
    const [directory, outside, link] = [join(home(), "linked"), join(home(), "outside"), join(home(), "link")];
    for (const path of [directory, outside]) mkdirSync(path);
    symlinkSync(outside, join(directory, "d"));
    symlinkSync(directory, link);
    const { status, stderr } = await runCli("runs", "artifacts", runId, "--out", link);
    expect({ status, stderr }).toMatchObject({ status: 2, stderr: expect.stringContaining(`${link}/d is a link`) });
    expect([readdirSync(outside), readdirSync(directory)]).toEqual([[], ["b.csv", "d"]]);
  });

  it("writes only what is named, and says what there is instead", async () => {
    const directory = join(home(), "one");
    const { status } = await runJson("runs", "artifacts", runId, "b.csv", "--out", directory);
    expect([status, existsSync(join(directory, "b.csv")), existsSync(join(directory, "d"))]).toEqual([0, true, false]);
    const { value } = await runJson("runs", "artifacts", runId, "c.csv");
    expect(value).toMatchObject({ error: { code: "input.invalid", hint: "It left: b.csv, d/a.txt." } });
  });

  it("writes the others beside one that has the name of no file; a type that is none is not kept", async () => {
    const dock = await createDock({ home: home(), warm: 0 });
    await dock.host.plugins.add(join(import.meta.dirname, "../../../test/host/plugins/caller"));
    await dock.host.agents.add({ name: "maker", runner: "plugin:test/caller/all" });
    const made = (name: string, mime_type: string) =>
      ["artifact.created", { artifact_type: "file", name, mime_type, content_base64: "aGVsbG8=" }] as const;
    const results = ["..", "a/../", "x".repeat(300)].map((name) => made(name, "text/html\r\nX-Evil: 1"));
    const text = JSON.stringify({ results: [...results, made("good.txt", "text/plain; charset=utf-8")] });
    await dock.host.agents.bind({ agent: "maker" });
    const sent = await dock.host.send({ type: "message.received", input: { text } });
    if (sent.kind !== "answered") throw new Error(JSON.stringify(sent));
    const types = (await dock.runs.artifacts(sent.runId)).map(({ mime }) => mime);
    await dock.close();
    expect(new Set(types)).toEqual(new Set(["application/octet-stream", "text/plain; charset=utf-8"]));
    expect(sent.warnings).toContain("The type of an artifact is not valid, and became application/octet-stream.");
    const directory = join(home(), "odd");
    const { status, stdout, stderr } = await runCli("runs", "artifacts", sent.runId, "--out", directory);
    expect({ status, stdout }).toEqual({ status: 0, stdout: `${directory}/good.txt\n` });
    expect(stderr).toContain(".. was not written");
    expect(readdirSync(directory)).toEqual(["good.txt"]);
  });
});
