import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createDock } from "drydock";
import type { Bench, Scenario } from "../scenario.ts";
import { spawnCommand } from "../spawn-command.ts";

const BACKENDS = ["namespaces", "podman", "gvisor", "docker"];

/** The start of a run on each backend that this machine has, side by side. */
export async function describeBackends({ directory, python, later }: Bench): Promise<Scenario[]> {
  const sides: Scenario["sides"] = [];
  for (const backend of BACKENDS) {
    const home = join(directory, `backend-${backend}`);
    mkdirSync(home, { mode: 0o700 });
    writeFileSync(join(home, "policy.yaml"), JSON.stringify({ version: 1, sandbox: { backends: [backend] } }));
    const dock = await createDock({ home });
    later(() => dock.close());
    const run = async () => {
      const { stdout, error } = await dock.exec({ language: "python", code: "print(1)" });
      if (stdout !== "1\n") throw new Error(`${backend} said ${JSON.stringify(error ?? stdout)}`);
    };
    const { error } = await dock.exec({ language: "python", code: "1" });
    if (error) process.stderr.write(`${backend} is left out: ${error.message}\n`);
    else sides.push({ name: backend === "namespaces" ? "dock" : backend, run });
  }
  sides.push({ name: "bare", run: () => spawnCommand([python, "-c", "print(1)"], "1\n") });
  return [{ name: "backends", title: "Python on each backend: print(1)", sides }];
}
