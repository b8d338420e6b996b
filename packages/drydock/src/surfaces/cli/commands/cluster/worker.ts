import { DrydockError } from "@drydock/protocol";
import type { Command } from "commander";
import { useDock } from "../../../terminal/use-dock.ts";
import { watchInterrupts } from "../../../terminal/watch-interrupts.ts";
import type { CommandContext } from "../../command-context.ts";
import { jsonOption, parsePositive } from "../../flags/add-flags.ts";
import { readList } from "../../flags/flag.ts";

interface WorkerFlags {
  slots?: number;
  name?: string;
  labels?: string;
  json?: boolean;
}

const HELP = `
A worker carries out runs that wait in the database of DATABASE_URL: those of drydock exec --queue, and of servers on this
database. The owner's policy of this machine is a ceiling for all of them.

SIGTERM and Ctrl-C let it take no more runs; it ends when those under way have ended. A second one aborts them, and other
workers carry them out.

Examples:
  $ DATABASE_URL=postgres://drydock@db/drydock drydock worker
  $ drydock worker --slots 8 --labels gpu,eu-west
  $ drydock workers`;

export function defineCommand(program: Command, { terminal }: CommandContext): void {
  program
    .command("worker")
    .summary("carry out runs that wait in the database")
    .description("Carries out runs that wait in the database of DATABASE_URL, until it is ended.")
    .option("--slots <number>", "runs at once (default: limits.concurrency of the policy)", parsePositive)
    .option("--name <name>", "a name for people (default: the machine's name and the process's number)")
    .option("--labels <labels>", "labels, separated by commas: runs can need them")
    .addOption(jsonOption())
    .addHelpText("after", HELP)
    .action(async ({ slots, name, labels, json }: WorkerFlags) => {
      using interrupts = watchInterrupts();
      await useDock(async (dock) => {
        const onNote = (text: string) => terminal.err(`${text}\n`);
        const options = { slots, name, onNote, ...(labels !== undefined && { labels: readList(labels) }) };
        const worker = await dock.workers.work(options);
        const info = (await dock.workers.list()).find(({ id }) => id === worker.id);
        if (!info) throw new DrydockError("internal", "The worker is not in its registry.", "Start it again.");
        terminal.out(json ? `${JSON.stringify(info)}\n` : `Worker ${info.name} is ready: ${info.slots} slots.\n`);
        const ended = new Promise<void>((done) => {
          interrupts.signal.addEventListener("abort", () => done(), { once: true });
          terminal.closed.addEventListener("abort", () => done(), { once: true });
        });
        await Promise.race([ended, worker.drained]);
        if (!json) terminal.err("Draining: it takes no more runs. Once more ends it at once.\n");
        await worker.drain();
      }, {});
    });
}
