import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDock, type Dock } from "drydock";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openPackageIndex, type PackageIndex } from "./package-index.ts";

const directory = mkdtempSync(join(tmpdir(), "drydock-environments-"));
let homes = 0;
let index: PackageIndex;
const hashes: Record<string, string> = {};
const docks: Dock[] = [];

beforeAll(async () => {
  index = await openPackageIndex();
  process.env.DRYDOCK_PYTHON_INDEX = index.url;
  hashes.tiny = index.add(
    "tiny",
    "1.0",
    { "tiny/__init__.py": "import helper\nVERSION = '1.0'\nWORD = helper.WORD\n" },
    ["helper"],
  );
  hashes.helper = index.add("helper", "2.5", { "helper.py": "WORD = 'helped'\n" });
  index.add("numpy", "0.0.1", { "numpy/__init__.py": "__version__ = '0.0.1'\n" });
  index.addSource("sourced", "1.0");
});
afterAll(async () => {
  for (const dock of docks) await dock.close();
  await index.close();
  rmSync(directory, { recursive: true, force: true });
});

/** One that has installed `tiny` already. */
let settled: Promise<Dock> | undefined;
const openSettled = () => {
  settled ??= openDock().then(async (dock) => {
    await dock.exec({ ...tiny, install: true });
    return dock;
  });
  return settled;
};

/** A dock on a home of its own, where the owner lets runs ask for the index; or another on a home that is there. */
async function openDock(home = join(directory, `home-${++homes}`), hosts: string[] = [index.host]): Promise<Dock> {
  mkdirSync(home, { recursive: true });
  writeFileSync(
    join(home, "policy.yaml"),
    `version: 1\nnetwork: { allow: { default: [], max: ${JSON.stringify(hosts)} } }\n`,
  );
  const dock = await createDock({ home, warm: 0 });
  docks.push(dock);
  return dock;
}
const kept = ({ home }: Dock) => {
  try {
    return readdirSync(join(home, "environments"));
  } catch {
    return [];
  }
};
const CODE = "import tiny\n(tiny.VERSION, tiny.WORD, tiny.__file__)";
const tiny = { code: CODE, requirements: ["tiny"] };

describe("requirements", () => {
  it("are not installed unless the caller lets them be", async () => {
    const dock = await openDock();
    const before = index.requests.length;
    const run = await dock.exec(tiny);
    expect(run).toMatchObject({
      ok: false,
      error: { code: "code.import_missing", hint: expect.stringContaining("install") },
    });
    expect((await dock.runs.get(run.runId)).status).toBe("failed");
    expect(index.requests.length).toBe(before);
    expect(kept(dock)).toEqual([]);
  });

  it("are not installed unless the policy lets the index be reached", async () => {
    const dock = await openDock(undefined, []);
    const run = await dock.exec({ ...tiny, install: true });
    expect(run.error).toMatchObject({
      code: "policy.network_denied",
      hint: expect.stringContaining(`drydock policy allow network ${index.host}`),
    });
    const own = await (await openDock()).exec({ ...tiny, install: true, policy: { network: { allow: [] } } });
    expect(own.error?.code).toBe("policy.network_denied");
    expect(kept(dock)).toEqual([]);
  });

  it("are installed once, locked, and found by later runs without the network", async () => {
    const dock = await openDock();
    const first = await dock.exec({ ...tiny, install: true });
    expect(first).toMatchObject({ ok: true, result: ["1.0", "helped", "/opt/environment/tiny/__init__.py"] });
    expect(first.notes).toContain("packages: tiny 1.0, helper 2.5");
    const [name = ""] = kept(dock);
    const lock = JSON.parse(readFileSync(join(dock.home, "environments", name, "lock.json"), "utf8"));
    expect(lock).toMatchObject({ requirements: ["tiny"], python: expect.stringMatching(/^3\./) });
    expect(lock.packages).toEqual([
      { name: "tiny", version: "1.0", sha256: hashes.tiny },
      { name: "helper", version: "2.5", sha256: hashes.helper },
    ]);
    expect((await dock.runs.get(lock.runId)).status).toBe("succeeded");
    const before = index.requests.length;
    expect((await dock.exec(tiny)).ok).toBe(true);
    const other = await openDock(dock.home, []);
    expect((await other.exec({ ...tiny, code: "import tiny\ntiny.VERSION" })).result).toBe("1.0");
    const shell = {
      language: "bash",
      code: "python3 -c 'import tiny; print(tiny.WORD)'",
      requirements: ["tiny"],
    } as const;
    expect(await other.exec(shell)).toMatchObject({ ok: true, stdout: "helped\n" });
    expect(index.requests.length).toBe(before);
    expect((await dock.exec({ code: "import tiny" })).error?.code).toBe("code.import_missing");
  });

  it("give no run the means to change them for others", async () => {
    const dock = await openSettled();
    const code = `import os
def attempt(act):
    try: act(); return "done"
    except OSError as e: return type(e).__name__
[attempt(lambda: open("/opt/environment/tiny/__init__.py", "a")), attempt(lambda: os.unlink("/opt/environment/helper.py")), attempt(lambda: os.mkdir("/opt/environment/x"))]`;
    const run = await dock.exec({ ...tiny, code });
    expect(run.result).not.toContain("done");
    expect((await dock.exec(tiny)).ok).toBe(true);
  });

  it("that are no longer what was locked are refused, and built again as they were", async () => {
    const dock = await openDock();
    index.add("drifting", "1.0", { "drifting.py": "VERSION = '1.0'\n" });
    const drifting = { code: "import drifting\ndrifting.VERSION", requirements: ["drifting"] };
    expect((await dock.exec({ ...drifting, install: true })).result).toBe("1.0");
    index.add("drifting", "2.0", { "drifting.py": "VERSION = '2.0'\n" });
    const [name = ""] = kept(dock);
    writeFileSync(join(dock.home, "environments", name, "site", "drifting.py"), "VERSION = 'tampered'\n");
    const next = await openDock(dock.home);
    expect((await next.exec(drifting)).error?.code).toBe("code.import_missing");
    expect((await next.exec({ ...drifting, install: true })).result).toBe("1.0");
    expect(kept(next)).toEqual([name]);
    writeFileSync(join(dock.home, "environments", name, "site", "planted.py"), "");
    expect((await (await openDock(dock.home)).exec(drifting)).error?.code).toBe("code.import_missing");
  });

  it("that two build at once are kept once, and serve both", async () => {
    const one = await openDock();
    const two = await openDock(one.home);
    const runs = await Promise.all([one, one, two].map((dock) => dock.exec({ ...tiny, install: true })));
    expect(runs.map(({ ok }) => ok)).toEqual([true, true, true]);
    expect(kept(one)).toHaveLength(1);
  });

  it.each([
    ["a version that there is not", "tiny==9", "No matching distribution"],
    ["what would have to be built", "sourced", "No matching distribution"],
    ["a wheel that is not the one that was named", `tiny==1.0 --hash=sha256:${"0".repeat(64)}`, "DO NOT MATCH"],
  ])("leave nothing where they can't be had: %s", async (_name, requirement, reason) => {
    const dock = await openSettled();
    const before = kept(dock);
    const run = await dock.exec({ code: "1", requirements: [requirement], install: true });
    expect(run.error).toMatchObject({ code: "code.import_missing" });
    const [build] = (await dock.runs.list()).runs.filter(({ title }) => title.includes("Installs Python packages"));
    const events = await dock.runs.events(build?.id ?? "");
    expect(JSON.stringify(events)).toContain(reason);
    expect(kept(dock)).toEqual(before);
  });

  it("take the place of what is imported beforehand", async () => {
    const dock = await openSettled();
    const numpy = { code: "import numpy\nnumpy.__version__", requirements: ["numpy==0.0.1"], install: true };
    expect((await dock.exec(numpy)).result).toBe("0.0.1");
  });

  it("can be read from a file", async () => {
    const dock = await openDock();
    const file = join(directory, "requirements.txt");
    writeFileSync(file, "# what it needs\nTiny >= 1.0 , < 2 \\\n  ; python_version >= '3.8'   # always\n\n");
    expect((await dock.exec({ code: CODE, requirements: file, install: true })).ok).toBe(true);
    const [created] = await dock.runs.events((await dock.exec({ code: CODE, requirements: file })).runId);
    expect(created?.data.request).toMatchObject({ requirements: ["tiny<2,>=1.0 ; python_version >= '3.8'"] });
  });

  it.each([
    ["-e ."],
    ["--index-url http://evil.example/simple"],
    ["-r other.txt"],
    ["git+https://evil.example/x.git"],
    ["tiny @ http://evil.example/tiny.whl"],
    ["./tiny.whl"],
    ["tiny --global-option=x"],
    ["tiny; python_version > '3' --hash=md5:1"],
    ["tiny\n--extra-index-url http://evil.example"],
    ["$(id)"],
    [""],
  ])("that would install from elsewhere are refused: %s", async (requirement) => {
    const dock = await openSettled();
    await expect(dock.exec({ code: "1", requirements: [requirement], install: true })).rejects.toMatchObject({
      code: "input.invalid",
    });
  });
});

describe("a task's requirements", () => {
  const write = (answers: unknown[]) => {
    const file = join(directory, `script-${++homes}.json`);
    writeFileSync(file, JSON.stringify({ answers }));
    return `scripted:${file}`;
  };
  const text = (code: string) => ({ text: `\`\`\`python\n${code}\n\`\`\`` });

  it("are there for its code and its checks, and the model is told of them", async () => {
    const dock = await openSettled();
    const task = await dock.executePythonTask("Which word?", {
      model: write([
        {
          ...text("import tiny\nresult = tiny.WORD\nopen('word.txt', 'w').write(result)"),
          when: { contains: "tiny 1.0" },
        },
      ]),
      ...{ requirements: ["tiny"], install: true },
      checks: [{ type: "command", cmd: "python3 -c 'import tiny; assert open(\"word.txt\").read() == tiny.WORD'" }],
    } as Parameters<Dock["executePythonTask"]>[1]);
    expect(task).toMatchObject({ ok: true, result: "helped", verdict: "passed" });
  });

  it("are there in every step of a workflow, and nothing is installed that was not asked for", async () => {
    const dock = await openSettled();
    const workflow = await dock.executePythonWorkflow(["One", "Two"], {
      model: write([text("import tiny"), text("import numpy.fft as x, sourced"), text("tiny.WORD"), text("tiny.WORD")]),
      ...{ requirements: ["tiny"], install: true, attempts: 2 },
    });
    expect(workflow.steps[1]).toMatchObject({ ok: true, result: "helped" });
    expect(workflow.steps[1]?.attempts[0]?.error?.code).toBe("code.import_missing");
  });

  it("that can't be had end the task with the reason, and a session has its own", async () => {
    const dock = await openDock(undefined, []);
    const task = await dock.executePythonTask("Which word?", {
      model: write([text("1")]),
      requirements: ["tiny"],
      install: true,
    });
    expect(task).toMatchObject({ ok: false, error: { code: "policy.network_denied" } });
    const session = await dock.sessions.open();
    const question = { model: write([text("1")]), session: session.id, requirements: ["tiny"] };
    await expect(dock.executePythonTask("Which word?", question)).rejects.toMatchObject({ code: "input.invalid" });
    await session.close();
  });
});
