import type { Bench, Scenario, Side } from "../scenario.ts";
import { spawnCommand } from "../spawn-command.ts";

const GROUP_BY = `import numpy as np
import pandas as pd
frame = pd.DataFrame({"key": np.arange(1000) % 7, "value": np.arange(1000.0)})
print(frame.groupby("key")["value"].sum().round().astype(int).tolist()[0])`;
const GROUP_BY_PRINTS = "71071\n";

/** The same work in the dock, unprotected, and in every other sandbox that is here. */
export function describeLanguages(bench: Bench): Scenario[] {
  const { python, node } = bench;
  return [
    compare(bench, "python", "Python: print(1)", "print(1)", [python, "-c", "print(1)"], "1\n"),
    compare(bench, "data", "Python: numpy, pandas, group-by", GROUP_BY, [python, "-c", GROUP_BY], GROUP_BY_PRINTS),
    compare(bench, "node", "Node: console.log(1)", "console.log(1)", [node, "-e", "console.log(1)"], "1\n"),
    compare(bench, "bash", "Shell: echo 1", "echo 1", ["/usr/bin/bash", "-c", "echo 1"], "1\n"),
  ];
}

function compare(
  { dock, sandboxes }: Bench,
  name: "python" | "data" | "node" | "bash",
  title: string,
  code: string,
  command: readonly string[],
  expected: string,
): Scenario {
  const language = name === "data" ? "python" : name;
  const docked: Side = {
    name: "dock",
    run: async () => {
      const { stdout, error } = await dock.exec({ language, code });
      if (stdout !== expected) throw new Error(`the dock said ${JSON.stringify(error ?? stdout)}`);
    },
  };
  const others = sandboxes.map(({ name: sandbox, wrap }) => ({
    name: sandbox,
    run: () => spawnCommand(wrap(command), expected),
  }));
  const bare = { name: "bare", run: () => spawnCommand(command, expected) };
  return { name, title, sides: [docked, bare, ...others], crowd: true };
}
