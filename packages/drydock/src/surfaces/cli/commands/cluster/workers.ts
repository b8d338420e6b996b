import { DrydockError } from "@drydock/protocol";
import { Argument, type Command } from "commander";
import type { Dock } from "../../../../app/index.ts";
import { cleanLine } from "../../../terminal/clean-text.ts";
import { renderTime } from "../../../terminal/render/render-quantities.ts";
import { renderTable } from "../../../terminal/render/render-table.ts";
import { useDock } from "../../../terminal/use-dock.ts";
import type { CommandContext } from "../../command-context.ts";
import { jsonOption } from "../../flags/add-flags.ts";
import type { RunFlags } from "../../flags/run-flags.ts";

const HELP = `
A worker is active, cordoned (it takes no more runs), draining (it ends when it has none) or silent: nothing was heard of
it for its lease, and others carry out its runs.

Examples:
  $ drydock workers
  $ drydock workers cordon build-7
  $ drydock workers drain build-7
  $ drydock workers cap user '*' 4
  $ drydock workers cap workspace /srv/app none`;

export function defineCommand(program: Command, { terminal }: CommandContext): void {
  const workers = program
    .command("workers")
    .summary("workers on all machines: list, cordon, drain")
    .description("Workers that share this ledger's database.")
    .addHelpText("afterAll", HELP);
  workers
    .command("list", { isDefault: true })
    .description("Lists the workers.")
    .addOption(jsonOption())
    .action(async ({ json }: RunFlags) => {
      const found = await useDock((dock) => dock.workers.list());
      if (json) return terminal.out(`${JSON.stringify({ workers: found })}\n`);
      if (found.length === 0) return terminal.out("No workers. Start one: drydock worker\n");
      const rows = found.map(({ name, machine, state, busy, slots, seenAt, version }) => [
        ...[cleanLine(name), cleanLine(machine), state, `${busy}/${slots}`, renderTime(seenAt), version],
      ]);
      const head = ["NAME", "MACHINE", "STATE", "BUSY", "SEEN", "VERSION"];
      terminal.out(renderTable([head, ...rows], { columns: terminal.columns }));
    });
  workers
    .command("cap")
    .description(
      "Caps how many runs of an agent, in a workspace or of a user are carried out at once; without arguments, lists the caps.",
    )
    .addArgument(new Argument("[scope]", "of what").choices(SCOPES))
    .argument("[name]", "whose, or '*' for each that has no cap of its own")
    .argument("[most]", "how many at once, or none for no cap")
    .addOption(jsonOption())
    .action(
      async (scope: Scope | undefined, name: string | undefined, most: string | undefined, { json }: RunFlags) => {
        const caps = await useDock(async (dock) => {
          if (scope !== undefined) await dock.workers.setCap({ scope, name: requireName(name) }, readMost(most));
          return dock.workers.caps();
        });
        if (json) return terminal.out(`${JSON.stringify({ caps })}\n`);
        if (caps.length === 0) return terminal.out("No caps.\n");
        const rows = caps.map((cap) => [cap.scope, cleanLine(cap.name), String(cap.most)]);
        terminal.out(renderTable([["OF", "NAME", "AT ONCE"], ...rows], { columns: terminal.columns }));
      },
    );
  for (const [name, description, done, act] of DEEDS) {
    workers
      .command(name)
      .description(description)
      .argument("<worker>", "its name or id")
      .addOption(jsonOption())
      .action(async (worker: string, { json }: RunFlags) => {
        await useDock((dock) => act(dock, worker));
        terminal.out(json ? `${JSON.stringify({ worker, done: name })}\n` : `Worker ${cleanLine(worker)} ${done}.\n`);
      });
  }
}

const DEEDS: readonly [string, string, string, (dock: Dock, worker: string) => Promise<void>][] = [
  ["cordon", "Lets a worker take no more runs.", "takes no more runs", (dock, worker) => dock.workers.cordon(worker)],
  ["uncordon", "Lets a worker take runs again.", "takes runs again", (dock, worker) => dock.workers.uncordon(worker)],
  [
    "drain",
    "Lets a worker take no more runs, and end.",
    "ends when it has no runs",
    (dock, worker) => dock.workers.drain(worker),
  ],
];

const SCOPES = ["agent", "workspace", "user"] as const;
type Scope = (typeof SCOPES)[number];

function requireName(name: string | undefined): string {
  if (name !== undefined && name !== "") return name;
  throw new DrydockError("input.invalid", "A cap needs a name.", "drydock workers cap user '*' 4");
}

function readMost(text: string | undefined): number | null {
  if (text === "none") return null;
  if (text !== undefined && /^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new DrydockError(
    "input.invalid",
    `A cap can't be ${text ?? "left out"}.`,
    "Give a whole number above 0, or none.",
  );
}
