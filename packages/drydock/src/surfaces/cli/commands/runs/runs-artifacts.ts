import { resolve } from "node:path";
import { type ArtifactRef, DrydockError } from "@drydock/protocol";
import type { Command } from "commander";
import { cleanLine } from "../../../terminal/clean-text.ts";
import { renderBytes } from "../../../terminal/render/render-quantities.ts";
import { canBeSaved, saveArtifact } from "../../../terminal/save-artifact.ts";
import { useRecords } from "../../../terminal/use-dock.ts";
import type { CommandContext } from "../../command-context.ts";
import { jsonOption } from "../../flags/add-flags.ts";
import type { RunFlags } from "../../flags/run-flags.ts";
import { resolveRunId } from "../../resolve-run-id.ts";

export function defineArtifacts(runs: Command, { terminal }: CommandContext): void {
  runs
    .command("artifacts")
    .description("Lists the files that a run created (figures, files, long output), or writes them into a directory.")
    .argument("<id>", "the run")
    .argument("[names...]", "only these names")
    .option("--out <dir>", "write them to this directory; existing files are not replaced")
    .addOption(jsonOption())
    .action(async (id: string, names: string[], { out, json }: RunFlags & { out?: string }) => {
      const written = await useRecords(async ({ runs: ledger }) => {
        const found = pick(await ledger.artifacts(await resolveRunId(ledger, id)), names);
        const files: (ArtifactRef & { file?: string })[] = [];
        for (const artifact of found) {
          if (out === undefined) files.push(artifact);
          else if (canBeSaved(artifact.name))
            files.push({ ...artifact, file: await saveArtifact(ledger, artifact, resolve(out)) });
          else terminal.err(`${cleanLine(artifact.name)} was not written: no file can have this name.\n`);
        }
        return files;
      });
      const line = ({ name, mime, size, file }: (typeof written)[number]) =>
        file === undefined ? `${cleanLine(name)} (${mime}, ${renderBytes(size)})\n` : `${cleanLine(file)}\n`;
      terminal.out(json ? `${JSON.stringify(written)}\n` : written.map(line).join(""));
    });
}

function pick(all: ArtifactRef[], names: readonly string[]): ArtifactRef[] {
  const missing = names.find((name) => !all.some((artifact) => artifact.name === name));
  if (missing === undefined) return names.length === 0 ? all : all.filter(({ name }) => names.includes(name));
  const there = all.map(({ name }) => name).join(", ") || "none";
  throw new DrydockError("input.invalid", `The run left nothing called ${missing}.`, `It left: ${there}.`);
}
