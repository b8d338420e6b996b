import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Bench, Scenario } from "../scenario.ts";
import { spawnCommand } from "../spawn-command.ts";

const MANIFEST = `id: bench
version: 1.0.0
name: Bench
description: Says what it is told.
permissions: { tools: [echo] }
`;
const COMMANDS = `commands:
  - name: echo
    description: Says what it is told.
    actions:
      - name: say
        description: Says it.
        runner: exec.echo
        arguments: [{ name: text, required: true }]
        args: ["{{ text }}"]
`;
/** More calls than anybody makes by hand. */
const POLICY = { extensions: { callsPerHour: 10_000, secondsPerHour: 36_000 } };

/** A slash command, through router, policy, queue, sandbox, ledger and response store, against the tool alone. */
export async function describeExtensions({ dock, directory, sandboxes }: Bench): Promise<Scenario[]> {
  const source = join(directory, "extension");
  mkdirSync(join(source, "docs"), { recursive: true });
  writeFileSync(join(source, "extension.yaml"), MANIFEST);
  writeFileSync(join(source, "commands.yaml"), COMMANDS);
  writeFileSync(join(source, "docs", "USAGE.md"), "# Bench\n\n`/echo say TEXT` says it.\n");
  await dock.extensions.add(source, { approve: async () => true });
  const command = ["/usr/bin/echo", "1"];
  return [
    {
      name: "echo",
      title: "Extension: /echo say 1",
      sides: [
        {
          name: "dock",
          run: async () => {
            const outcome = await dock.extensions.execute("/echo say 1", { policy: POLICY });
            if (outcome.type !== "capability_result" || outcome.output !== "1\n") {
              throw new Error(`the dock said ${JSON.stringify(outcome)}`);
            }
          },
        },
        { name: "bare", run: () => spawnCommand(command, "1\n") },
        ...sandboxes.map(({ name, wrap }) => ({ name, run: () => spawnCommand(wrap(command), "1\n") })),
      ],
    },
  ];
}
