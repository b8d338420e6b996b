import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCli, runJson } from "./testing/run-cli.ts";
import { runInTerminal } from "./testing/run-in-terminal.ts";
import { useHome } from "./testing/use-home.ts";

const home = useHome();
let place = "";
beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), "drydock-plugin-cli-"));
});
afterAll(() => rm(place, { recursive: true, force: true }));

const TESTS = { typescript: [process.execPath, "--test"], python: ["python3", "-m", "unittest"] } as const;
const VERSION = "0.1.0";

describe.each(["typescript", "python"] as const)("a new plugin in %s", (language) => {
  const id = `ada/new-${language}`;

  it("is valid, passes its own test, is packed, added, and answers", async () => {
    const directory = join(place, `new-${language}`);
    expect(await runJson("plugin", "new", id, "--lang", language, "--dir", place)).toEqual({
      status: 0,
      value: { directory },
    });
    expect((await runCli("plugin", "lint", directory)).stdout).toBe(`${id} ${VERSION} is valid.\n`);
    const [program, ...words] = TESTS[language];
    execFileSync(program, words, { cwd: directory, stdio: "pipe" });

    const file = join(place, `${language}.tgz`);
    const packed = await runJson("plugin", "pack", directory, "--out", file);
    const sha256 = createHash("sha256")
      .update(await readFile(file))
      .digest("hex");
    expect(packed).toMatchObject({ status: 0, value: { id, sha256, file } });
    // The SDK is the host's, and no part of an archive.
    const names = execFileSync("tar", ["tzf", file], { encoding: "utf8" });
    expect(names).toContain("package/plugin.yaml");
    expect(names).not.toMatch(/runner-sdk|drydock_runner|__pycache__/);
    expect((await runJson("plugin", "pack", directory, "--out", `${file}2`)).value.sha256).toBe(sha256);

    const refused = await runCli("plugin", "add", file);
    expect(refused).toMatchObject({ status: 3, stderr: expect.stringContaining("agree in advance with --yes") });
    expect(refused.stdout).toContain(`runner:    plugin:${id}/default asks for nothing`);
    expect((await runJson("plugin", "add", file, "--yes", "--sha256", "0".repeat(64))).status).toBe(2);
    expect((await runCli("plugin", "list")).stdout).not.toContain(id);
    expect(await runJson("plugin", "add", file, "--yes", "--sha256", sha256)).toMatchObject({
      status: 0,
      value: { id, problem: null },
    });
    const agent = `new-${language}`;
    expect((await runCli("agent", "new", agent, "--runner", `plugin:${id}/default`)).status).toBe(0);
    expect((await runCli("agent", "bind", agent, "--scope", "conversation", "--value", language)).status).toBe(0);
    const answer = await runCli("agent", "send", "good", "morning", "--conversation", language);
    expect(answer).toMatchObject({ status: 0, stdout: "Hello. You said: good morning\n" });
  });

  it("overwrites nothing", async () => {
    expect(await runCli("plugin", "new", id, "--dir", place)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("is there already"),
    });
  });
});

describe("drydock plugin add", () => {
  it.each(["greeter", "a/b/c", "../x", "a/..", "/b", "a/"])("refuses the id %s for a new plugin", async (id) => {
    expect(await runCli("plugin", "new", id, "--dir", place)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("not an id for a plugin"),
    });
  });

  it("asks on a terminal, and takes only yes for a yes", async () => {
    const asks = "sandbox:\n  hosts: [api.example.org:443]\n  environment: [ASKER_KEY]\n";
    const source = await makePlugin("asking", "asker", asks);
    const size = { rows: 24, columns: 100 };
    const no = await runInTerminal(home(), ["plugin", "add", source], {
      ...size,
      keys: [{ after: "Install it? [y/N]", type: "maybe\r" }],
    });
    expect(no.status).toBe(3);
    expect(no.screen).toMatch(/hosts: +api\.example\.org:443[\s\S]*variables: ASKER_KEY/);
    const yes = await runInTerminal(home(), ["plugin", "add", source], {
      ...size,
      keys: [{ after: "Install it? [y/N]", type: "y\r" }],
    });
    expect(yes).toMatchObject({ status: 0, screen: expect.stringContaining("ada/asker 0.1.0 is installed.") });
  });

  it("takes an npm package that lies in a node_modules folder, by its name", async () => {
    const source = await makePlugin("packaged", "packaged");
    await mkdir(join(place, "app/node_modules/@ada"), { recursive: true });
    await rename(source, join(place, "app/node_modules/@ada/packaged"));
    await mkdir(join(place, "app/deep"));
    const before = process.cwd();
    try {
      process.chdir(join(place, "app/deep"));
      expect((await runJson("plugin", "add", "@ada/packaged", "--yes")).value).toMatchObject({ id: "ada/packaged" });
      expect(await runCli("plugin", "add", "@ada/nothing", "--yes")).toMatchObject({ status: 2 });
    } finally {
      process.chdir(before);
    }
  });

  it("refuses links, archives that are none, and a directory without a manifest", async () => {
    const linked = await makePlugin("linked", "linked");
    await symlink("/etc/passwd", join(linked, "secrets"));
    expect(await runCli("plugin", "add", linked, "--yes")).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("secrets: it is a link"),
    });
    await writeFile(join(place, "bad.tgz"), "no archive");
    expect(await runCli("plugin", "add", join(place, "bad.tgz"), "--yes")).toMatchObject({ status: 2 });
    await mkdir(join(place, "empty"));
    expect(await runCli("plugin", "add", join(place, "empty"), "--yes")).toMatchObject({
      status: 2,
      stderr: expect.stringContaining(`${join(place, "empty")} is not a plugin: it has no plugin.yaml`),
    });
  });

  it("one that can't start is named with the reason", async () => {
    const lost = await makePlugin("lost", "lost");
    await rm(join(lost, "main.mjs"));
    await runCli("plugin", "add", lost, "--yes");
    const { stderr } = await runCli("agent", "new", "lost", "--runner", "plugin:ada/lost/echo");
    expect(stderr).toMatch(/ada\/lost can't be used[\s\S]*Cannot find module '.*main\.mjs'/);
    await runCli("plugin", "remove", "ada/lost");
  });

  it("an archive can't write beside its place", async () => {
    const outside = join(place, "outside");
    await mkdir(outside);
    const script = `
import io, sys, tarfile
with tarfile.open(sys.argv[1], "w:gz") as archive:
    for name in ("plugin.yaml", "../../../escaped"):
        data = b"author: ada\\nname: evil\\nversion: 1.0.0\\nruntime: node\\ncommand: [node, main.js]\\n"
        info = tarfile.TarInfo(name)
        info.size = len(data)
        archive.addfile(info, io.BytesIO(data))`;
    const file = join(outside, "evil.tgz");
    execFileSync("python3", ["-c", script, file]);
    expect(await runCli("plugin", "add", file, "--yes")).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("leads upwards"),
    });
  });
});

describe("plugins that are found", () => {
  it("in folders, as npm packages and with extensions; one bad manifest is a warning", async () => {
    const folder = join(place, "folder");
    await mkdir(join(folder, "broken"), { recursive: true });
    await writeFile(join(folder, "broken/plugin.yaml"), "author: ada\nname: broken\npermissions: everything\n");
    await rename(await makePlugin("inside", "inside"), join(folder, "inside"));
    await mkdir(join(folder, "node_modules"), { recursive: true });
    await rename(await makePlugin("module", "module"), join(folder, "node_modules/module"));
    await writeFile(join(home(), "config.yaml"), `plugins:\n  folders: [${folder}]\n`);
    await runCli("ext", "new", "carrier", "--dir", place);
    await cp(await makePlugin("carried", "carried"), join(place, "carrier"), { recursive: true });
    expect(await runCli("ext", "add", join(place, "carrier"), "--yes")).toMatchObject({ status: 0 });

    const { value } = await runJson("plugin", "list");
    const plugins = value.plugins as { id: string; origin: string; problem: string | null }[];
    const found = plugins
      .filter(({ origin }) => !["installed", "built-in"].includes(origin))
      .map(({ id, origin }) => [id, origin]);
    expect(found).toEqual([
      ["folder/broken", "folder"],
      ["ada/inside", "folder"],
      ["ada/module", "package"],
      ["ada/carried", "extension"],
    ]);
    expect((value.warnings as string[]).join()).toContain("folder/broken");
    const ids = (value.runners as { manifest: { id: string } }[]).map(({ manifest }) => manifest.id);
    expect(ids).toEqual(
      expect.arrayContaining(["inside", "module", "carried"].map((name) => `plugin:ada/${name}/echo`)),
    );
    expect(await runCli("plugin", "remove", "ada/inside")).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("plugins.folders"),
    });
    await runCli("ext", "disable", "carrier");
    expect((await runCli("plugin", "list")).stdout).not.toContain("ada/carried");
  });

  it("do not take the id of one that comes with Drydock, wherever they lie", async () => {
    const id = "drydock/local-agent";
    const source = await makePlugin("impostor", "local-agent", "", "drydock");
    expect(await runCli("plugin", "add", source, "--yes")).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("comes with Drydock"),
    });
    const folder = join(place, "taken");
    const places = [join(folder, "plain"), join(folder, "node_modules/packed"), join(home(), "plugins", id)];
    for (const each of places) await cp(source, each, { recursive: true });
    await writeFile(join(home(), "config.yaml"), `plugins:\n  folders: [${folder}]\n`);
    const { value } = await runJson("plugin", "list");
    const plugins = (value.plugins as { id: string; origin: string; problem: string | null }[]).filter(
      (plugin) => plugin.id === id,
    );
    expect(plugins.map(({ origin, problem }) => [origin, problem === null])).toEqual([
      ["installed", false],
      ["folder", false],
      ["package", false],
      ["built-in", true],
    ]);
    expect((value.warnings as string[]).join()).toContain(`${id} comes with Drydock`);
    const found = (value.runners as { manifest: { id: string } }[]).map(({ manifest }) => manifest.id);
    expect([found.includes(`plugin:${id}/default`), found.includes(`plugin:${id}/echo`)]).toEqual([true, false]);
    // Asked for by its id, as for each event.
    await runCli("agent", "new", "victim", "--runner", "local-agent");
    expect((await runCli("agent", "send", "Hello", "--to", "victim")).stderr).toContain("no model to ask");
    expect(await runCli("plugin", "remove", id)).toMatchObject({ status: 0 });
    expect(await runCli("plugin", "remove", id)).toMatchObject({ status: 2 });
  });
});

/** A plugin that repeats what it is told. */
async function makePlugin(folder: string, name: string, sandbox = "", author = "ada"): Promise<string> {
  const directory = join(place, folder);
  await mkdir(directory, { recursive: true });
  await writeFile(
    join(directory, "plugin.yaml"),
    `author: ${author}\nname: ${name}\nversion: 0.1.0\nruntime: node\ncommand: [node, main.mjs]\n${sandbox}`,
  );
  await writeFile(
    join(directory, "main.mjs"),
    `import { defineRunner, message, servePlugin } from "@drydock/runner-sdk";
const echo = defineRunner({
  manifest: { name: "echo", label: "Echo", permissions: { history: ["page"] } },
  async *run(ctx) {
    yield message(ctx.input.text ?? "");
  },
});
await servePlugin({ author: ${JSON.stringify(author)}, name: ${JSON.stringify(name)}, runners: [echo] });
`,
  );
  return directory;
}
