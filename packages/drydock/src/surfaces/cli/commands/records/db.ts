import { countWord } from "@drydock/protocol";
import type { Command } from "commander";
import { type CopyProgress, type DatabaseStatus, openDatabaseAdministration } from "../../../../app/index.ts";
import { renderTime } from "../../../terminal/render/render-quantities.ts";
import { renderTable } from "../../../terminal/render/render-table.ts";
import type { CommandContext } from "../../command-context.ts";
import { jsonOption } from "../../flags/add-flags.ts";
import type { RunFlags } from "../../flags/run-flags.ts";

const HELP = `
The ledger is in ledger.db of Drydock's home, or in the PostgreSQL database of DATABASE_URL.

Examples:
  $ drydock db status
  $ DATABASE_URL=postgres://drydock:PASSWORD@db:5432/drydock drydock db copy`;

export function defineCommand(program: Command, { terminal }: CommandContext): void {
  const db = program
    .command("db")
    .summary("the ledger's database: status, migrate, copy")
    .description("The database that the ledger is in.")
    .addHelpText("afterAll", HELP);
  db.command("status")
    .description("Shows where it is, its schema, and the machines that use it. Changes nothing.")
    .addOption(jsonOption())
    .action(async ({ json }: RunFlags) => {
      const status = await (await openDatabaseAdministration()).status();
      terminal.out(json ? `${JSON.stringify(status)}\n` : renderStatus(status));
    });
  db.command("migrate")
    .description("Brings it to the schema of this version, also where older programs can't use it any more.")
    .addOption(jsonOption())
    .action(async ({ json }: RunFlags) => {
      const made = await (await openDatabaseAdministration()).migrate();
      if (json) terminal.out(`${JSON.stringify({ migrated: made })}\n`);
      else terminal.out(made.length === 0 ? "Nothing to migrate.\n" : `✓ Migrated: ${made.join(", ")}.\n`);
    });
  db.command("copy")
    .description("Copies the ledger of the home into the empty database of DATABASE_URL, and verifies both.")
    .addOption(jsonOption())
    .action(async ({ json }: RunFlags) => {
      let shown: CopyProgress["what"] | undefined;
      const onProgress = ({ what, done }: CopyProgress) => {
        if (json || !terminal.isOutputTerminal) return;
        if (shown !== undefined && shown !== what) terminal.err("\n");
        shown = what;
        terminal.err(`\r${what}: ${done}`);
      };
      const result = await (await openDatabaseAdministration()).copy({ onProgress });
      if (shown !== undefined) terminal.err("\n");
      const { runs, events, contents, head, place } = result;
      terminal.out(
        json
          ? `${JSON.stringify(result)}\n`
          : `✓ ${countWord(runs, "run")}, ${countWord(events, "event")} and ${countWord(contents, "content")} are in ${place}.
  Both chains verify and end with the same entry: ${head.position}, ${head.hash}
  Set DATABASE_URL wherever this ledger is used from now on; ledger.db stays as it was.
`,
      );
    });
}

function renderStatus({ place, version, schema, pending, breaking, copying, members }: DatabaseStatus): string {
  const lines = [
    ["database", `${place} (${version})`],
    ["schema", schema ?? "none yet: it is made when the ledger is opened first"],
    ...(schema !== null && pending.length > 0 ? [["pending", pending.join(", ")]] : []),
    ...(schema !== null && breaking.length > 0 ? [["", "older programs can't use it after: drydock db migrate"]] : []),
    ...(copying ? [["copy", "under way, or stopped in the middle: drydock db copy goes on"]] : []),
  ];
  const text = lines.map(([name = "", value]) => `${name.padEnd(10)}${value}\n`).join("");
  if (members.length === 0) return text;
  const rows = members.map(({ host, home, keys, seenAt }) => [host, home, String(keys), renderTime(seenAt)]);
  return `${text}\n${renderTable([["MACHINE", "HOME", "KEYS", "LAST OPENED"], ...rows])}`;
}
