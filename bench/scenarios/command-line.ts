import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Bench, Scenario } from "../scenario.ts";
import { CLEAN_ENVIRONMENT, spawnCommand } from "../spawn-command.ts";

/** The whole command, each time from nothing, against the start of the Node that it runs on. */
export function describeCommandLine({ node, root, directory, say }: Bench): Scenario[] {
  if (!existsSync(join(root, "packages", "drydock", "dist", "cli.js"))) {
    say("the command line is not built (npm run build): left out");
    return [];
  }
  const command = [join(root, "node_modules", ".bin", "drydock"), "exec", "-c", "print(1)"];
  // The launcher is a Node script of its own: whichever Node is first on the PATH starts it.
  const env = {
    PATH: `${join(node, "..")}:${CLEAN_ENVIRONMENT.PATH}`,
    HOME: directory,
    DRYDOCK_HOME: join(directory, "cli-home"),
  };
  return [
    {
      name: "cli",
      title: "drydock exec -c 'print(1)', from nothing",
      sides: [
        { name: "dock", restMs: 60, run: () => spawnCommand(command, "1\n", { env }) },
        { name: "node -e 0", run: () => spawnCommand([node, "-e", "0"], "", { env }) },
      ],
    },
  ];
}
