import { appendFile } from "node:fs/promises";
import { resolve } from "node:path";
import { DrydockError } from "@drydock/protocol";
import type { Command } from "commander";
import { type Anchored, loadNotes } from "../../../../app/index.ts";
import { useDock } from "../../../terminal/use-dock.ts";
import { writeFailedError } from "../../../terminal/write-out.ts";
import type { CommandContext } from "../../command-context.ts";
import { jsonOption } from "../../flags/add-flags.ts";
import type { RunFlags } from "../../flags/run-flags.ts";
import { refuse } from "../../goal/refuse.ts";

interface AnchorFlags extends RunFlags {
  file?: string;
  gitNote?: string | true;
  command?: string;
}

export function defineAnchor(audit: Command, { terminal }: CommandContext): void {
  audit
    .command("anchor")
    .description("Signs the newest hash of the ledger and stores it where you say, or prints it.")
    .option("--file <file>", "append it to this file, as a line of JSON")
    .option("--git-note [repo]", "add it to the notes of HEAD (refs/notes/drydock) in this repository; default: here")
    .option(
      "--command <command>",
      "run this with sh on this machine (not in the sandbox), with the line on its standard input",
    )
    .addOption(jsonOption())
    .action(async (flags: AnchorFlags) => {
      const { file, gitNote, command, json } = flags;
      const places = [file, gitNote, command].filter((place) => place !== undefined);
      refuse(
        places.length > 1,
        "More than one place was given for the head.",
        "Give one of them; call it again for others.",
      );
      const anchored = await useDock((dock) => dock.audit.anchor());
      const where = await putAnchor(anchored, flags);
      const { head, line } = anchored;
      const summary = {
        position: head.position,
        hash: head.hash,
        keyId: head.key.id,
        ...where,
        anchor: anchored.envelope,
      };
      if (json) terminal.out(`${JSON.stringify(summary)}\n`);
      else if (places.length === 0) terminal.out(line);
      else
        terminal.out(`head ${head.position} ${head.hash}, signed by ${head.key.id.slice(0, 16)}: ${describe(where)}\n`);
    });
}

type Where = { file?: string; commit?: string; command?: string };

function describe({ file, commit, command }: Where): string {
  if (file !== undefined) return `appended to ${file}`;
  return commit === undefined ? `given to ${command}` : `noted on commit ${commit}`;
}

async function putAnchor({ line }: Anchored, { file, gitNote, command }: AnchorFlags): Promise<Where> {
  if (file !== undefined) {
    const path = resolve(file);
    await appendFile(path, line, { flush: true }).catch((error: unknown) => {
      throw writeFailedError(path, error, "--file");
    });
    return { file: path };
  }
  if (gitNote !== undefined) {
    const { noteAnchor } = await loadNotes();
    return { commit: await noteAnchor(gitNote === true ? "." : gitNote, line) };
  }
  if (command === undefined) return {};
  const { runOwnerCommand } = await import("../../anchor/run-owner-command.ts");
  const status = await runOwnerCommand(command, line);
  if (status === 0) return { command };
  throw new DrydockError(
    "code.exit",
    `The command ended with status ${status}: the head may not have been kept.`,
    "Correct the command, and anchor again.",
    { status },
  );
}
