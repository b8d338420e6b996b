import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PYTHON = "/usr/bin/python3";

/** Empty where Jupyter is installed, else what is to be done about it. */
export function whyNoJupyter(): string {
  const { status } = spawnSync(PYTHON, ["-c", "import jupyter_client, nbconvert"], { stdio: "ignore" });
  return status === 0 ? "" : "Jupyter is not installed here: apt-get install jupyter-nbconvert";
}

export interface JupyterPlace {
  path: string;
  /** Runs Jupyter's Python with this place as the user's. */
  run(args: readonly string[]): { status: number | null; stdout: string; stderr: string };
  remove(): Promise<void>;
}

/** Where Jupyter and Drydock keep everything of their own for one test. */
export async function createJupyterPlace(): Promise<JupyterPlace> {
  const path = await mkdtemp(join(tmpdir(), "drydock-jupyter-"));
  const env = {
    PATH: process.env.PATH,
    HOME: path,
    JUPYTER_DATA_DIR: join(path, "share", "jupyter"),
    DRYDOCK_HOME: join(path, "home"),
  };
  return {
    path,
    run: (args) => spawnSync(PYTHON, args, { env, cwd: path, encoding: "utf8", timeout: 60_000, maxBuffer: 1 << 26 }),
    remove: () => rm(path, { recursive: true, force: true }),
  };
}
