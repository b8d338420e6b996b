import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTreeDock, type TreeDock } from "../testing/tree-dock.ts";

let dock: TreeDock;
beforeAll(async () => {
  dock = await openTreeDock();
});
afterAll(() => dock.close());

const FILES = {
  "tests/test_a.py": "import a\n",
  "a.py": "print(open('data.txt').read())\n",
  "data.txt": "1\n",
  "run.sh": "cat data.txt | wc -l\npython3 a.py\n./nowhere\n",
};

async function observe(code: string, more: object = {}) {
  const workspace = dock.makeWorkspace(FILES);
  return dock.run(workspace, { layer: null, language: "bash", code, timeoutSeconds: 20, observe: true, ...more });
}

describe("a run that is observed", () => {
  it("tells which program asked for which file of the workspace, and who started it", async () => {
    const { observed, exitCode } = await observe("bash run.sh");
    expect(exitCode).toBe(127);
    const named = observed?.paths.map(([program, how, path]) => {
      const { program: file = "", arguments: words = [] } = observed.programs[program ?? -1] ?? {};
      return `${file.replace(/.*\//, "").replace(/[\d.]+$/, "")} ${words.includes("-c") ? "-c " : ""}${how} ${path}`;
    });
    expect(named).toEqual(
      expect.arrayContaining([
        "bash read run.sh",
        "cat read data.txt",
        "python read a.py",
        "python read data.txt",
        "bash missing nowhere",
      ]),
    );
    const cat = observed?.programs.find(({ program }) => program.endsWith("/cat"));
    expect(observed?.programs[cat?.parent ?? -1]?.arguments).toEqual(["bash", "run.sh"]);
    expect(observed?.truncated).toBe(false);
  });

  it("tells of writing, of executing, and of where programs are looked for", async () => {
    const { observed } = await observe("echo x > out.txt; chmod +x run.sh; PATH=./bin:$PATH env ./run.sh");
    const seen = observed?.paths.map(([, how, path]) => `${how} ${path}`);
    expect(seen).toEqual(expect.arrayContaining(["write out.txt", "exec run.sh"]));
    expect(observed?.programs.some(({ searched }) => searched.includes("bin"))).toBe(true);
  });

  const detours: [how: string, code: string][] = [
    ["the working directory of the process", "cat /proc/self/cwd/data.txt"],
    ["that of a thread", "cat /proc/thread-self/cwd/data.txt"],
    ["the root of the process", "cat /proc/self/root/work/data.txt"],
    ["a link to its directory", "ln -s /work /tmp/there; cat /tmp/there/data.txt"],
    ["a link to itself", "ln -s /work/data.txt /tmp/that; cat /tmp/that"],
    ["a link within the workspace", "ln -s ../data.txt tests/link; cat tests/link"],
    ["what lies above a link", "ln -s /work/tests /tmp/tests; cat /tmp/tests/../data.txt"],
    ["a descriptor of its directory", "exec 7< .; cat /dev/fd/7/data.txt"],
  ];

  it.each(detours)("tells of a file that is read by way of %s", async (_how, code) => {
    const { stdout, observed } = await observe(code);
    expect(stdout).toBe("1\n");
    const cat = observed?.programs.findIndex(({ program }) => program.endsWith("/cat"));
    expect(observed?.paths).toContainEqual([cat, "read", "data.txt"]);
  });

  it("tells nothing of Drydock's own processes or of the host's paths", async () => {
    const { observed } = await observe("cat data.txt");
    expect(JSON.stringify(observed)).not.toMatch(/fork_server|drydock-trees/);
  });

  it("runs as it does unobserved: threads, forks, signals, many processes", async () => {
    const code = `python3 - <<'END'
import os, signal, subprocess, threading
signal.signal(signal.SIGALRM, lambda *_: None)
signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
def read():
    for _ in range(200):
        open('data.txt').close()
threads = [threading.Thread(target=read) for _ in range(4)]
[t.start() for t in threads]
[t.join() for t in threads]
signal.setitimer(signal.ITIMER_REAL, 0)
children = [subprocess.Popen(['cat', 'data.txt'], stdout=subprocess.DEVNULL) for _ in range(20)]
print([c.wait() for c in children].count(0))
END`;
    const { stdout, error } = await observe(code);
    expect([stdout, error]).toEqual(["20\n", null]);
  });

  it("ends at its deadline, and still tells what it saw", async () => {
    const { error, observed } = await observe("cat data.txt; sleep 60", { timeoutSeconds: 1 });
    expect(error?.code).toBe("limit.timeout");
    expect(observed?.paths.map(([, , path]) => path)).toContain("data.txt");
  });

  it("is bounded in what it tells", async () => {
    const code =
      "long = ('/' + 'x' * 250) * 15\nfor i in range(5000):\n  try: open(str(i) + long)\n  except OSError: pass";
    const { observed } = await observe(`python3 -c "${code}"`);
    expect(observed?.truncated).toBe(true);
    const bytes = observed?.paths.reduce((sum, [, , path]) => sum + path.length, 0) ?? 0;
    expect(bytes).toBeGreaterThan(8 << 20);
    expect(bytes).toBeLessThanOrEqual(16 << 20);
  });
});

describe("files that are pinned", () => {
  const pin = ["tests/test_a.py"];
  const attacks: [what: string, code: string][] = [
    ["written", "echo x > tests/test_a.py"],
    ["removed", "rm -f tests/test_a.py"],
    ["replaced", "echo x > new; mv -f new tests/test_a.py"],
    ["replaced by a link", "ln -sf ../a.py tests/test_a.py"],
    ["moved away with their directory", "mv tests old; mkdir tests; echo x > tests/test_a.py"],
    ["made writable", "chmod 777 tests/test_a.py; echo x > tests/test_a.py"],
    ["unmounted", "umount tests/test_a.py; umount -l tests; echo x > tests/test_a.py"],
  ];

  it.each(attacks)("can't be %s", async (_what, code) => {
    const workspace = dock.makeWorkspace(FILES);
    const after = `(${code}) 2>/dev/null; cat tests/test_a.py`;
    const { stdout } = await dock.run(workspace, {
      layer: null,
      language: "bash",
      code: after,
      timeoutSeconds: 20,
      pin,
    });
    expect(stdout).toBe("import a\n");
  });

  it("leave their directory writable, and are those of the layer", async () => {
    const workspace = dock.makeWorkspace(FILES);
    const workbench = await dock.openBench(workspace);
    const tree = await workbench.tree(null).apply([{ path: "tests/test_a.py", content: Buffer.from("import b\n") }]);
    const code = "echo x > tests/new.txt; echo y > tests/test_a.py; cat tests/new.txt tests/test_a.py";
    const { stdout } = await dock.run(workspace, {
      layer: tree.layer,
      language: "bash",
      code,
      timeoutSeconds: 20,
      pin,
    });
    await workbench.close();
    expect(stdout).toBe("x\nimport b\n");
  });
});
