import { resolve } from "node:path";
import { DrydockError, type KeyInfo } from "@drydock/protocol";
import type { Command } from "commander";
import { renderTime } from "../../../terminal/render/render-quantities.ts";
import { renderTable } from "../../../terminal/render/render-table.ts";
import { useDock, useRecords } from "../../../terminal/use-dock.ts";
import { writeOut } from "../../../terminal/write-out.ts";
import type { CommandContext } from "../../command-context.ts";
import { jsonOption } from "../../flags/add-flags.ts";
import type { RunFlags } from "../../flags/run-flags.ts";

const HELP = `
The private key lies in keys/signing.key in Drydock's home, readable by you alone. It is made with the first signature.
Give the public key, or its id, to those who are to verify your receipts.

Examples:
  $ drydock keys list
  $ drydock keys export --out acme.pub
  $ drydock keys rotate`;

export function defineCommand(program: Command, { terminal }: CommandContext): void {
  const keys = program
    .command("keys")
    .summary("keys that sign receipts: list, export, rotate")
    .description("Keys that sign receipts and anchors.")
    .addHelpText("afterAll", HELP);
  keys
    .command("list")
    .description("Lists the keys, the oldest first: the current one and earlier ones.")
    .addOption(jsonOption())
    .action(async ({ json }: RunFlags) => {
      const found = await useRecords((dock) => dock.keys.list());
      terminal.out(json ? `${JSON.stringify({ keys: found })}\n` : renderKeys(found));
    });
  keys
    .command("export")
    .description("Prints a public key as PEM (default: the current one).")
    .argument("[id]", "the key, or the beginning of its id")
    .option("--out <file>", "write to this file")
    .addOption(jsonOption())
    .action(async (id: string | undefined, { out, json }: RunFlags & { out?: string }) => {
      const key = await useDock(async (dock) =>
        id === undefined ? dock.keys.current() : findKey(await dock.keys.list(), id),
      );
      if (out !== undefined) await writeOut(resolve(out), key.publicKey);
      if (json) terminal.out(`${JSON.stringify(key)}\n`);
      else terminal.out(out === undefined ? key.publicKey : `${resolve(out)}: ${key.id}\n`);
    });
  keys
    .command("rotate")
    .description("Creates a new signing key and deletes the old private key. Old receipts stay valid.")
    .addOption(jsonOption())
    .action(async ({ json }: RunFlags) => {
      const key = await useDock((dock) => dock.keys.rotate());
      terminal.out(json ? `${JSON.stringify(key)}\n` : `${key.id} signs from now on\n`);
    });
}

function renderKeys(keys: readonly KeyInfo[]): string {
  if (keys.length === 0) return "No key yet: the first signature makes one.\n";
  const rows = keys.map(({ id, createdAt, current }) => [id, renderTime(createdAt), current ? "signs" : "old"]);
  return renderTable([["ID", "MADE", ""], ...rows]);
}

function findKey(keys: readonly KeyInfo[], prefix: string): KeyInfo {
  const [only, other] = keys.filter(({ id }) => id.startsWith(prefix.toLowerCase()));
  if (only && !other) return only;
  throw new DrydockError(
    "input.invalid",
    other ? `More than one key's id starts with ${prefix}.` : `This home has no key ${prefix}.`,
    "`drydock keys list` shows the keys there are.",
  );
}
