import { resolve } from "node:path";
import type { Command } from "commander";
import { verifyReceipt } from "../../../../app/index.ts";
import { useDock } from "../../../terminal/use-dock.ts";
import { watchInterrupts } from "../../../terminal/watch-interrupts.ts";
import type { CommandContext } from "../../command-context.ts";
import { jsonOption } from "../../flags/add-flags.ts";
import type { RunFlags } from "../../flags/run-flags.ts";
import { readFileOrHash, readInputFile } from "../../read-file-or-hash.ts";
import { renderReceipt } from "../../render/render-receipt.ts";
import { renderReplay } from "../../render/render-replay.ts";

interface ReceiptFlags extends RunFlags {
  key?: string;
  tree?: string;
  workspace?: string;
}

const HELP = `
A receipt is made by drydock runs receipt, and is signed with a key. Get that key, or its id, from the person who made the
receipt, by another way than the receipt itself, and pass it with --key.

Examples:
  $ drydock receipt verify receipt.intoto.jsonl --key acme.pub --tree .
  $ drydock receipt replay receipt.intoto.jsonl --key acme.pub`;

const KEY_HELP = "who must have signed it: a file with the public key (PEM), or the key's id";

export function defineCommand(program: Command, context: CommandContext): void {
  const receipt = program
    .command("receipt")
    .summary("signed receipts of runs: verify, replay")
    .description("Reads receipts: what the checks of a run proved, signed.")
    .addHelpText("afterAll", HELP);
  defineVerify(receipt, context);
  defineReplay(receipt, context);
}

/** Needs no home, no network and no dock. */
function defineVerify(receipt: Command, context: CommandContext): void {
  const { terminal } = context;
  receipt
    .command("verify")
    .description(
      "Checks a receipt and shows what it proves. Exit status 1 if it was changed, or if the checks did not pass.",
    )
    .argument("<file>", "the receipt")
    .option("--key <key>", KEY_HELP)
    .option("--tree <dir>", "a directory that must be identical to the one that was checked")
    .addOption(jsonOption())
    .action(async (file: string, { key, tree, json }: ReceiptFlags) => {
      const bytes = await readInputFile(file);
      const report = await verifyReceipt(bytes, { key: await readKey(key), tree });
      context.status = report.ok ? 0 : 1;
      terminal.out(json ? `${JSON.stringify(report)}\n` : renderReceipt(report, terminal.outColors));
    });
}

function defineReplay(receipt: Command, context: CommandContext): void {
  const { terminal } = context;
  receipt
    .command("replay")
    .description("Repeats the run of a receipt in the sandbox, under your policy, and compares the results.")
    .argument("<file>", "a receipt made --with-record")
    .option("--key <key>", KEY_HELP)
    .option("--workspace <dir>", "a directory in the state before the run, if the record does not contain it")
    .addOption(jsonOption())
    .action(async (file: string, { key, workspace, json }: ReceiptFlags) => {
      const bytes = await readInputFile(file);
      const pinned = await readKey(key);
      using interrupts = watchInterrupts();
      const signal = AbortSignal.any([interrupts.signal, terminal.closed]);
      const result = await useDock(
        (dock) =>
          dock.runs.replayReceipt(bytes, {
            signal,
            key: pinned,
            ...(workspace !== undefined && { workspace: resolve(workspace) }),
          }),
        { warm: 1 },
      );
      context.status = result.ok ? 0 : 1;
      terminal.out(json ? `${JSON.stringify(result)}\n` : renderReplay(result, terminal.outColors));
    });
}

async function readKey(key: string | undefined): Promise<string | undefined> {
  return key === undefined ? undefined : readFileOrHash(key);
}
