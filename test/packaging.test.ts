import { execFile, spawnSync } from "node:child_process";
import { globSync } from "node:fs";
import { copyFile, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const run = promisify(execFile);
const root = join(import.meta.dirname, "..");
const product = join(root, "packages", "drydock");
const manifest = JSON.parse(await readFile(join(product, "package.json"), "utf8")) as { version: string };

/** What a user has: a project of their own (with a space in its path) and the tarball, but no registry. */
let scratch: string;
let project: string;
let packed: string[];
const npmEnvironment = { ...process.env, npm_config_update_notifier: "false", npm_config_loglevel: "error" };
const installed = () => join(project, "node_modules", ".bin", "drydock");

function environmentWith(path: string[]): NodeJS.ProcessEnv {
  return { PATH: path.join(":"), HOME: join(scratch, "home"), DRYDOCK_HOME: join(scratch, "drydock-home") };
}

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), "drydock-packaging-"));
  project = join(scratch, "a project");
  await mkdir(project);
  await mkdir(join(scratch, "home"));
  await run(process.execPath, [join(root, "scripts", "setup.mjs")]);
  await run("npm", ["pack", "--ignore-scripts", "--pack-destination", scratch], { cwd: product, env: npmEnvironment });
  const tarball = join(scratch, `drydock-${manifest.version}.tgz`);
  const { stdout } = await run("tar", ["-tzf", tarball]);
  packed = stdout
    .trim()
    .split("\n")
    .map((path) => path.replace(/^package\//, ""));
  await writeFile(join(project, "package.json"), JSON.stringify({ name: "project", private: true, type: "module" }));
  const install = ["install", "--offline", "--no-audit", "--no-fund", "--omit=optional", tarball];
  await run("npm", install, { cwd: project, env: { ...npmEnvironment, npm_config_cache: join(scratch, "cache") } });
}, 120_000);

afterAll(() => rm(scratch, { recursive: true, force: true }));

describe("the published package", () => {
  it("holds the build, the command, the kernel, the documents, and no source", () => {
    expect(packed).toEqual(
      expect.arrayContaining([
        "package.json",
        "LICENSE",
        "README.md",
        "bin/drydock.js",
        "dist/index.js",
        "dist/cli.js",
        "dist/console/index.html",
        expect.stringMatching(/^dist\/console\/assets\/.+\.js$/),
        "dist/THIRD_PARTY_LICENSES",
        expect.stringMatching(/^dist\/kernel\/.+\.py$/),
        "dist/witness-hooks/driver.py",
        "dist/witness-hooks/hook.cjs",
        "dist/runner-sdk/dist/index.js",
        "dist/runner-sdk/package.json",
        "dist/runners/librarian/librarian.py",
        "dist/runners/local-agent/main.mjs",
        "dist/runners/local-agent/plugin.yaml",
        "dist/runners/services/main.mjs",
        "dist/runner-sdk/python/drydock_runner/serve.py",
        "dist/extensions/curl/extension.yaml",
        "dist/extensions/csv/scripts/table.py",
      ]),
    );
    expect(packed.filter((path) => !/^(bin\/|dist\/|LICENSE$|README\.md$|package\.json$)/.test(path))).toEqual([]);
    expect(packed.filter((path) => /\.test\.|__pycache__|\.compiled|(?<!\.d)\.ts$/.test(path))).toEqual([]);
  });

  it("installs without a registry, and brings nothing else along", async () => {
    const names = (await readdir(join(project, "node_modules"))).filter((name) => !name.startsWith("."));
    expect(names).toEqual(["drydock"]);
  });

  it("gives a command that starts with the Node on the PATH", async () => {
    const env = environmentWith([dirname(process.execPath), "/usr/bin", "/bin"]);
    const { stdout } = await run(installed(), ["--version"], { env, cwd: project });
    expect(stdout.trim()).toBe(manifest.version);
  });

  it("prints the help and the version of its commands, though it loads none of them", async () => {
    const env = environmentWith([dirname(process.execPath), "/usr/bin", "/bin"]);
    const source = ["--conditions=drydock-source", join(product, "src", "surfaces", "cli", "main.ts")];
    for (const words of [["--help"], ["-h"], ["-V"], ["help"]]) {
      const { stdout } = await run(installed(), words, { env, cwd: project });
      expect(stdout).toBe((await run(process.execPath, [...source, ...words], { env, cwd: project })).stdout);
    }
  });

  it("says so where they can't be printed", async () => {
    const env = environmentWith([dirname(process.execPath), "/usr/bin", "/bin"]);
    for (const word of ["--help", "--version"]) {
      const { status, stderr } = spawnSync("sh", ["-c", `exec "$0" ${word} >/dev/full`, installed()], {
        env,
        encoding: "utf8",
      });
      expect({ status, stderr }).toEqual({ status: 70, stderr: expect.stringContaining("ENOSPC") });
    }
  });

  it("keeps the code that V8 made of it, and does without where that is damaged", async () => {
    const env = environmentWith([dirname(process.execPath), "/usr/bin", "/bin"]);
    const hello = async () => (await run(installed(), ["exec", "-c", "print(1)"], { env, cwd: project })).stdout;
    expect(await hello()).toBe("1\n");
    const compiled = join(project, "node_modules", "drydock", "dist", ".compiled");
    const kept = globSync("*/quick.cjs-*", { cwd: compiled });
    expect(kept).toHaveLength(1);
    for (const path of kept) await truncate(join(compiled, path), 1000);
    expect(await hello()).toBe("1\n");
  });

  it("runs code in the sandbox, with the kernel that came in the package", async () => {
    const env = environmentWith([dirname(process.execPath), "/usr/bin", "/bin"]);
    const { stdout } = await run(installed(), ["exec", "-c", "print(6 * 7)", "--json"], { env, cwd: project });
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, stdout: "42\n" });
  });

  it("has the extensions that come with it, scripts and tools of their own included", async () => {
    const env = environmentWith([dirname(process.execPath), "/usr/bin", "/bin"]);
    const use = async (line: string) => (await run(installed(), ["do", line], { env, cwd: project })).stdout;
    expect(await use(`/jq data '"a,b\\n1," + (.a | tostring)' --raw --data '{"a": 3}'`)).toBe("a,b\n1,3\n");
    expect(JSON.parse(await use("/csv average"))).toEqual({ a: 1, b: 3 });
    expect(await use("/csv analyze")).toContain("JSON from the response of /csv average");
    const args = ["do", "/git status", "--workspace", project];
    const { stderr } = spawnSync(installed(), args, { env, cwd: project, encoding: "utf8" });
    expect(stderr).toContain("There is no Git repository at the top of this workspace");
  });

  it("prefers the Node that was installed with it to the one on the PATH", async () => {
    const home = join(project, "node_modules", `node-linux-${process.arch}`, "bin");
    const wrong = join(scratch, "wrong");
    await mkdir(home, { recursive: true });
    await mkdir(wrong, { recursive: true });
    await symlink(process.execPath, join(home, "node"));
    await writeFile(join(wrong, "node"), "#!/bin/sh\nexit 99\n", { mode: 0o755 });
    try {
      const global = join(scratch, "drydock");
      await symlink(join(project, "node_modules", "drydock", "bin", "drydock.js"), global);
      const env = environmentWith([wrong, "/usr/bin", "/bin"]);
      for (const command of [
        installed(),
        global,
        "node_modules/.bin/drydock",
        "../a project/node_modules/.bin/drydock",
      ]) {
        const { stdout } = await run(command, ["--version"], { env, cwd: project });
        expect(stdout.trim()).toBe(manifest.version);
      }
    } finally {
      await rm(dirname(home), { recursive: true });
    }
  });

  it("says what to do where there is no Node", () => {
    const bare = join(scratch, "bare");
    const { status, stderr } = spawnSync("/bin/sh", [installed(), "--version"], {
      env: environmentWith([bare]),
      encoding: "utf8",
    });
    expect(status).toBe(5);
    expect(stderr).toContain("put Node.js 22.18 or newer on the PATH");
  });

  it("says what to do where Node is too old", async () => {
    const disguise = join(scratch, "disguise.cjs");
    const versions = '{ value: { ...process.versions, node: "22.17.1" } }';
    await writeFile(disguise, `Object.defineProperty(process, "versions", ${versions});`);
    const { status, stderr } = spawnSync(process.execPath, ["--require", disguise, installed(), "--version"], {
      env: environmentWith(["/usr/bin", "/bin"]),
      encoding: "utf8",
    });
    expect(status).toBe(5);
    expect(stderr).toContain("Node.js 22.17.1 is too old");
  });

  it("says how to build it where it was not built", async () => {
    const tree = join(scratch, "tree", "bin");
    await mkdir(tree, { recursive: true });
    await copyFile(join(product, "bin", "drydock.js"), join(tree, "drydock.mjs"));
    const { status, stderr } = spawnSync(process.execPath, [join(tree, "drydock.mjs")], { encoding: "utf8" });
    expect(status).toBe(5);
    expect(stderr).toContain("npm run setup");
  });

  it("gives a library that says where Node is too old, and warns of nothing where it is not", async () => {
    const disguise = join(scratch, "disguise-20.cjs");
    const versions = '{ value: { ...process.versions, node: "20.20.2" } }';
    await writeFile(disguise, `Object.defineProperty(process, "versions", ${versions});`);
    const home = join(scratch, "library-home");
    const use = `import { createDock } from "drydock";
const dock = await createDock({ home: ${JSON.stringify(home)} });
const { ok } = await dock.exec({ language: "python", code: "1" });
console.log(ok, (await dock.models.list()).providers.length > 0);
await dock.close();\n`;
    await writeFile(join(project, "program.mjs"), use);
    const start = (...argv: string[]) =>
      spawnSync(process.execPath, [...argv, "program.mjs"], {
        cwd: project,
        env: { PATH: "/usr/bin:/bin" },
        encoding: "utf8",
      });
    const old = start("--require", disguise);
    expect(old.stderr).toContain("Drydock needs Node.js 22.18 or newer, and this program runs on 20.20.2.");
    expect(old.stderr).not.toContain("DatabaseSync");
    expect(start()).toMatchObject({ status: 0, stdout: "true true\n", stderr: "" });
  });

  it("brings the SDK for runners: one file for Node, a package for Python, and nothing that they need", async () => {
    const sdk = join(project, "node_modules", "drydock", "dist", "runner-sdk");
    const greet = { jsonrpc: "2.0", id: 1, method: "initialize" };
    const params = { protocol_versions: ["1"], host: { name: "test", version: "0" } };
    const input = `${JSON.stringify({ ...greet, params })}\n`;
    const plugins = join(scratch, "plugins");
    await cp(join(root, "runners"), plugins, { recursive: true });
    await mkdir(join(plugins, "node_modules", "@drydock"), { recursive: true });
    await cp(sdk, join(plugins, "node_modules", "@drydock", "runner-sdk"), { recursive: true });
    const env = { PATH: "/usr/bin:/bin", PYTHONPATH: join(sdk, "python") };
    const start = (name: string, ...argv: [string, ...string[]]) =>
      spawnSync(argv[0], argv.slice(1), { cwd: join(plugins, name), env, input, encoding: "utf8" });
    const served = [start("echo", process.execPath, "main.ts"), start("echo-python", "python3", "-B", "main.py")];
    for (const { status, stdout, stderr } of served) {
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
      expect(JSON.parse(stdout)).toMatchObject({ id: 1, result: { runners: [{ runner_name: "echo" }] } });
    }
  });

  it("gives a library that can be imported, with types that hold without any other package", async () => {
    const use =
      'import { createDock } from "drydock";\nconst made: (options?: { home?: string }) => unknown = createDock;\n';
    await writeFile(join(project, "use.ts"), `${use}console.log(typeof made);\n`);
    const { stdout } = await run(process.execPath, ["use.ts"], { cwd: project });
    expect(stdout.trim()).toBe("function");

    const options = {
      module: "nodenext",
      target: "es2024",
      strict: true,
      noEmit: true,
      skipLibCheck: false,
      types: ["node"],
    };
    const typeRoots = [join(root, "node_modules", "@types")];
    await writeFile(
      join(project, "tsconfig.json"),
      JSON.stringify({ compilerOptions: { ...options, typeRoots }, files: ["use.ts"] }),
    );
    await run(join(root, "node_modules", ".bin", "tsc"), ["-p", project]).catch((error: { stdout: string }) => {
      throw new Error(error.stdout);
    });
  });
});
