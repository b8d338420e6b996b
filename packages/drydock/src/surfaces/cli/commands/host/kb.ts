import {
  countWord,
  DOCUMENT_FORMATS,
  type DocumentFormat,
  type IngestReport,
  type KnowledgeBase,
  type KnowledgePosition,
} from "@drydock/protocol";
import { type Command, Option } from "commander";
import type { Dock, IngestOptions } from "../../../../app/index.ts";
import { cleanLine } from "../../../terminal/clean-text.ts";
import { createProgressLine } from "../../../terminal/progress-line.ts";
import { renderTable } from "../../../terminal/render/render-table.ts";
import { useDock, useRecords } from "../../../terminal/use-dock.ts";
import { watchInterrupts } from "../../../terminal/watch-interrupts.ts";
import type { CommandContext } from "../../command-context.ts";
import { jsonOption, parseCount } from "../../flags/add-flags.ts";
import type { RunFlags } from "../../flags/run-flags.ts";

const HELP = `
A knowledge base is a set of documents: text, Markdown, HTML, PDF and tables (CSV, TSV). Their text is divided into
passages, which are searched by words, in any language, without a model.

Examples:
  $ drydock kb add handbook ./docs manual.pdf
  $ drydock kb search handbook "How do I change the limits?"
  $ drydock kb refresh handbook
  $ drydock agent new helper --runner plugin:acme/helper/default --knowledge handbook`;

export function defineCommand(program: Command, context: CommandContext): void {
  const kb = program
    .command("kb")
    .summary("knowledge bases: add documents, search them")
    .description("Sets of documents that people and agents can search.")
    .addHelpText("afterAll", HELP);
  defineAdd(kb, context);
  defineRefresh(kb, context);
  defineSearch(kb, context);
  defineList(kb, context);
  defineShow(kb, context);
  defineRemove(kb, context);
}

function defineAdd(kb: Command, context: CommandContext): void {
  kb.command("add")
    .description("Reads files and folders into a knowledge base. What has not changed is not read again.")
    .argument("<name>", "the knowledge base; it is made where there is none")
    .argument("<path...>", "files and folders")
    .addOption(jsonOption())
    .action((name: string, paths: string[], flags: RunFlags) =>
      ingest(context, flags, ({ knowledge }, options) => knowledge.add(name, paths, options)),
    );
}

function defineRefresh(kb: Command, context: CommandContext): void {
  kb.command("refresh")
    .description("Reads what has changed in the files and folders of a knowledge base.")
    .argument("<name>", "the knowledge base")
    .addOption(jsonOption())
    .action((name: string, flags: RunFlags) =>
      ingest(context, flags, ({ knowledge }, options) => knowledge.refresh(name, options)),
    );
}

/** The exit status is 1 where a file could not be read. The others are in the knowledge base all the same. */
async function ingest(
  context: CommandContext,
  { json }: RunFlags,
  work: (dock: Dock, options: IngestOptions) => Promise<IngestReport>,
): Promise<void> {
  const { terminal } = context;
  const line = createProgressLine(terminal);
  using interrupts = watchInterrupts();
  const signal = AbortSignal.any([interrupts.signal, terminal.closed]);
  const onProgress: IngestOptions["onProgress"] = ({ source, done }) => line.show(`${done}  ${cleanLine(source)}`);
  const report = await useDock((dock) => work(dock, { signal, onProgress })).finally(line.end);
  terminal.out(json ? `${JSON.stringify(report)}\n` : renderReport(report));
  if (report.failed > 0) context.status = 1;
}

interface SearchFlags extends RunFlags {
  limit: number;
  source?: string;
  format?: DocumentFormat;
}

function defineSearch(kb: Command, { terminal }: CommandContext): void {
  kb.command("search")
    .description("Searches the passages of a knowledge base.")
    .argument("<name>", "the knowledge base")
    .argument("<query>", "words, or a question")
    .option("--limit <count>", "how many passages at most", parseCount, 5)
    .option("--source <prefix>", "only documents whose name begins with this")
    .addOption(new Option("--format <format>", "only documents of this format").choices(DOCUMENT_FORMATS))
    .addOption(jsonOption())
    .action(async (name: string, query: string, { limit, source, format, json }: SearchFlags) => {
      const filters = { ...(source !== undefined && { source }), ...(format && { format }) };
      const found = await useRecords((dock) => dock.knowledge.search(name, query, { limit, filters }));
      if (json) return terminal.out(`${JSON.stringify(found)}\n`);
      for (const warning of found.warnings) terminal.err(`${cleanLine(warning)}\n`);
      if (found.hits.length === 0) return terminal.out("Nothing found.\n");
      for (const { source: document, position, snippet } of found.hits)
        terminal.out(`${cleanLine(document)}${describePlace(position)}\n  ${cleanLine(snippet)}\n`);
    });
}

function describePlace({ heading, page, rows, line }: KnowledgePosition): string {
  const places = [
    page !== undefined && `page ${page}`,
    rows && (rows[0] === rows[1] ? `row ${rows[0]}` : `rows ${rows[0]}-${rows[1]}`),
    line !== undefined && !rows && `line ${line}`,
    heading !== undefined && cleanLine(heading),
  ];
  const shown = places.filter((place) => place).join(", ");
  return shown === "" ? "" : ` (${shown})`;
}

function defineList(kb: Command, { terminal }: CommandContext): void {
  kb.command("list")
    .description("Lists the knowledge bases.")
    .addOption(jsonOption())
    .action(async ({ json }: RunFlags) => {
      const bases = await useRecords((dock) => dock.knowledge.list());
      if (json) return terminal.out(`${JSON.stringify({ knowledge: bases })}\n`);
      if (bases.length === 0) return terminal.out("No knowledge bases. `drydock kb add NAME PATH` makes one.\n");
      const rows = bases.map(({ name, documents, chunks, failed, embedding }) => [
        ...[name, String(documents), String(chunks), String(failed)],
        embedding ?? "none",
      ]);
      const header = ["NAME", "DOCUMENTS", "PASSAGES", "FAILED", "VECTORS"];
      terminal.out(renderTable([header, ...rows], { columns: terminal.columns }));
    });
}

function defineShow(kb: Command, { terminal }: CommandContext): void {
  kb.command("show")
    .description("Shows a knowledge base with its documents; those that could not be read come first.")
    .argument("<name>", "the knowledge base")
    .option("--limit <count>", "how many documents at most", parseCount, 100)
    .addOption(jsonOption())
    .action(async (name: string, { limit, json }: SearchFlags) => {
      const found = await useRecords((dock) => dock.knowledge.show(name, { limit }));
      if (json) return terminal.out(`${JSON.stringify(found)}\n`);
      const { id, documents, chunks, failed, embedding, roots, items } = found;
      terminal.out(`${found.name}  ${id}\n  vectors: ${embedding ?? "none: searched by words"}\n`);
      for (const { path } of roots) terminal.out(`  from:    ${cleanLine(path)}\n`);
      terminal.out(`  holds:   ${countWord(documents, "document")}, ${countWord(chunks, "passage")}`);
      terminal.out(failed === 0 ? "\n" : `; ${countWord(failed, "file")} could not be read\n`);
      for (const { source, chunks: parts, problem } of items)
        terminal.out(`  ${cleanLine(source)}  ${problem ? cleanLine(problem.message) : countWord(parts, "passage")}\n`);
      if (items.length < documents + failed) terminal.out(`  … ${documents + failed - items.length} more: --limit\n`);
    });
}

function defineRemove(kb: Command, { terminal }: CommandContext): void {
  kb.command("remove")
    .description("Removes a knowledge base, or one of its files and folders. The files themselves stay.")
    .argument("<name>", "the knowledge base")
    .option(
      "--path <path>",
      "only what was read from this file or folder; one that was added, as `kb show` lists it under `from`",
    )
    .addOption(jsonOption())
    .action(async (name: string, { path, json }: RunFlags & { path?: string }) => {
      const { base, users } = await useDock(async (dock) => {
        const removed = await dock.knowledge.remove(name, { path });
        return { base: removed, users: path === undefined ? await listUsers(dock, removed) : [] };
      });
      const what = path === undefined ? `The knowledge base ${base.name}` : `${cleanLine(path)}`;
      terminal.out(json ? `${JSON.stringify(base)}\n` : `${what} is removed.\n`);
      for (const agent of users)
        terminal.err(
          `! The agent ${agent} still names it. \`drydock agent edit ${agent} --knowledge NAME\` names others.\n`,
        );
    });
}

/** Agents that are granted the base, or whose settings select it. */
async function listUsers({ host }: Dock, { id, name }: Pick<KnowledgeBase, "id" | "name">): Promise<string[]> {
  const isIt = (value: unknown) => value === id || value === name;
  const agents = await host.agents.list();
  return agents
    .filter(({ grants, config }) => grants.knowledge.some(isIt) || Object.values(config).flat().some(isIt))
    .map((agent) => agent.name);
}

const SHOWN_FAILURES = 20;

function renderReport(report: IngestReport): string {
  const { name, added, changed, unchanged, removed, skipped, failed, failures, warnings } = report;
  const counts = [
    `${added} added`,
    `${changed} changed`,
    `${unchanged} unchanged`,
    `${removed} removed`,
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
  ];
  const lines = failures
    .slice(0, SHOWN_FAILURES)
    .map(({ source, error }) => `  ${cleanLine(source)}: ${cleanLine(error.message)}\n`);
  const more = failed > lines.length ? `  … ${failed - lines.length} more: \`drydock kb show ${name}\`\n` : "";
  const notes = warnings.map((warning) => `  ${cleanLine(warning)}\n`);
  return `${name}: ${counts.join(", ")}.\n${lines.join("")}${more}${notes.join("")}`;
}
