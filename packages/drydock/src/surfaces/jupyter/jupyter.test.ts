import { existsSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { spawnCli } from "../cli/testing/run-cli.ts";
import { createJupyterPlace, type JupyterPlace, whyNoJupyter } from "./testing/jupyter-place.ts";

const why = whyNoJupyter();
if (why) console.warn(`The tests with Jupyter itself are left out. ${why}`);

interface Output {
  output_type: string;
  data?: Record<string, string | string[]>;
  text?: string | string[];
  name?: string;
  ename?: string;
  evalue?: string;
  traceback?: string[];
}
type Ran = { seen: [string, Record<string, unknown>][]; reply: Record<string, unknown> };

const CELLS = [
  "%matplotlib inline\nimport sys\nvalue = 41\nprint('out')\nprint('err', file=sys.stderr)",
  "value + 1",
  "import pandas as pd\npd.DataFrame({'a': [1, 2]})",
  "import matplotlib.pyplot as plt\nplt.bar(['x', 'y'], [1, 2])\nplt.show()",
  "value = 0\n{}['missing']",
  "value",
  "open('/etc/shadow').read()",
  `import os, signal
try:
    os.kill(1, signal.SIGKILL)
except PermissionError:
    print('refused', len([name for name in os.listdir('/proc') if name.isdigit()]) < 20)
os.kill(os.getppid(), signal.SIGKILL)`,
  "print(value, open('beside.txt').read()); open('beside.txt', 'w').write('changed')",
];

const text = (value: string | string[] | undefined) => [value ?? []].flat().join("");

describe.skipIf(why !== "")("Jupyter with Drydock's kernel", () => {
  let place: JupyterPlace;

  beforeAll(async () => {
    place = await createJupyterPlace();
    const installed = await spawnCli(join(place.path, "home"), [
      ...["jupyter", "install", "--prefix", place.path, "--name", "dry", "--notebook-dir"],
    ]).finished;
    expect(installed).toMatchObject({ status: 0, stderr: "" });
  });
  afterAll(() => place.remove());

  it("executes a notebook with nbconvert: outputs, a figure, an error, state, and nothing of the machine", async () => {
    const directory = join(place.path, "notebooks");
    await mkdir(directory);
    await writeFile(join(directory, "beside.txt"), "seen");
    const cells = CELLS.map((source, index) => ({
      ...{ cell_type: "code", id: `c${index}`, source, execution_count: null, metadata: {}, outputs: [] },
    }));
    const metadata = { kernelspec: { name: "dry", display_name: "" } };
    const notebook = join(directory, "report.ipynb");
    await writeFile(notebook, JSON.stringify({ cells, metadata, nbformat: 4, nbformat_minor: 5 }));
    const ran = place.run([
      "-m",
      "nbconvert",
      "--execute",
      "--allow-errors",
      "--to",
      "notebook",
      "--inplace",
      notebook,
    ]);
    expect(ran.status, ran.stderr).toBe(0);
    const done = JSON.parse(readFileSync(notebook, "utf8")) as { cells: { outputs: Output[] }[] };
    const [first, sum, table, figure, failed, kept, shadow, killer, beside] = done.cells.map(({ outputs }) => outputs);
    expect(first?.map(({ name, text: lines }) => [name, text(lines)]).sort()).toEqual([
      ["stderr", "err\n"],
      ["stdout", "out\n"],
    ]);
    expect(sum).toMatchObject([{ output_type: "execute_result", data: { "text/plain": ["42"] }, execution_count: 2 }]);
    expect(text(table?.[0]?.data?.["text/html"])).toMatch(/<table border="1" class="dataframe">[\s\S]*<td>2<\/td>/);
    expect(Buffer.from(text(figure?.[0]?.data?.["image/png"]), "base64").subarray(1, 4).toString()).toBe("PNG");
    expect(figure).toHaveLength(1);
    expect(failed).toMatchObject([{ output_type: "error", ename: "KeyError", evalue: "'missing'" }]);
    expect(failed?.[0]?.traceback).toContain("  Cell In[5], line 2, in <module>");
    expect(text(kept?.[0]?.data?.["text/plain"])).toBe("41");
    expect(shadow).toMatchObject([{ output_type: "error", ename: "FileNotFoundError" }]);
    expect(text(killer?.[0]?.text)).toBe("refused True\n");
    expect(text(beside?.[0]?.text)).toBe("41 seen\n");
    expect(readFileSync(join(directory, "beside.txt"), "utf8")).toBe("seen");
  });

  it("interrupts, completes, restarts and ends as Jupyter's own programs ask it to", () => {
    const { status, stdout, stderr } = place.run([join(import.meta.dirname, "testing", "drive-kernel.py"), "dry"]);
    expect(status, stderr).toBe(0);
    const response = JSON.parse(stdout) as Record<string, Ran>;
    expect(response.interrupted?.seen).toContainEqual(["stream", { name: "stdout", text: "started\n" }]);
    expect(response.interrupted?.reply).toMatchObject({ status: "error", ename: "KeyboardInterrupt" });
    expect(response.signalled?.reply).toMatchObject({ status: "error", ename: "KeyboardInterrupt" });
    expect(response.afterInterrupt?.seen).toContainEqual([
      "execute_result",
      expect.objectContaining({ data: { "text/plain": "42" } }),
    ]);
    expect(response.asked).toEqual({ prompt: "", password: false });
    expect(response.answered?.seen).toContainEqual(["stream", { name: "stdout", text: "hello Ada\n" }]);
    expect(response.complete).toMatchObject({ matches: ["keys"], cursor_start: 7, cursor_end: 9 });
    expect(response.info).toMatchObject({
      implementation: "drydock",
      language_info: { name: "python", version: expect.stringMatching(/^3\.\d+/) },
    });
    expect(response.afterUnsigned?.seen).toContainEqual([
      "execute_result",
      expect.objectContaining({ data: { "text/plain": "41" } }),
    ]);
    expect(response.restarted).toBe(true);
    expect(response.afterRestart?.reply).toMatchObject({ status: "error", ename: "NameError" });
    expect(response.drydockIsGone).toBe(true);
  });

  it("is taken away again, and nothing else is", async () => {
    const kernels = join(place.path, "share", "jupyter", "kernels");
    const words = ["jupyter", "uninstall", "--prefix", place.path, "--name", "dry"];
    expect(await spawnCli(join(place.path, "home"), words).finished).toMatchObject({ status: 0 });
    expect([existsSync(join(kernels, "dry")), existsSync(kernels)]).toEqual([false, true]);
  });
});
