import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createDock } from "drydock";
import type { Bench, Scenario } from "../scenario.ts";
import { spawnCommand } from "../spawn-command.ts";

const TITLES = { python: "Python", node: "Node", bash: "Shell" };
const POLICY = "version: 1\nnetwork: { allow: ['example.org:443'] }\n";

/** The price of a network that the policy allows, for runs that do not use it. */
export async function describeNetwork({ directory, python, node, later }: Bench): Promise<Scenario[]> {
  const home = join(directory, "network-home");
  mkdirSync(home, { mode: 0o700 });
  writeFileSync(join(home, "policy.yaml"), POLICY);
  const dock = await createDock({ home });
  later(() => dock.close());
  const compare = (language: keyof typeof TITLES, code: string, command: readonly string[]): Scenario => ({
    name: `${language}-network`,
    title: `${TITLES[language]} with a host allowed: ${code}`,
    sides: [
      {
        name: "dock",
        run: async () => {
          const { stdout, error } = await dock.exec({ language, code });
          if (stdout !== "1\n") throw new Error(`the dock said ${JSON.stringify(error ?? stdout)}`);
        },
      },
      { name: "bare", run: () => spawnCommand(command, "1\n") },
    ],
  });
  return [
    compare("python", "print(1)", [python, "-c", "print(1)"]),
    compare("node", "console.log(1)", [node, "-e", "console.log(1)"]),
    compare("bash", "echo 1", ["/usr/bin/bash", "-c", "echo 1"]),
  ];
}
