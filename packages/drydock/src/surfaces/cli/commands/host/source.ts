import type { HostSource, SourceTypeInfo } from "@drydock/protocol";
import type { Command } from "commander";
import { cleanLine } from "../../../terminal/clean-text.ts";
import { renderTable } from "../../../terminal/render/render-table.ts";
import { useDock } from "../../../terminal/use-dock.ts";
import { watchInterrupts } from "../../../terminal/watch-interrupts.ts";
import type { CommandContext } from "../../command-context.ts";
import { jsonOption } from "../../flags/add-flags.ts";
import type { RunFlags } from "../../flags/run-flags.ts";
import { defineAdd, defineEdit } from "./source-edit.ts";

const HELP = `
A source passes on what happens elsewhere, as events that bindings give to agents, and brings answers back. \`drydock serve\`
runs the sources that are enabled; what is changed takes effect within a second. Secrets are named, never given: store them
with \`drydock secret set NAME\`.

Examples:
  $ drydock source types
  $ drydock source add nightly --type schedule --set 'cron=0 3 * * *' --set timezone=Europe/Berlin --set text='Write the report.'
  $ drydock agent bind reporter --event schedule.fired --scope bot --value nightly
  $ drydock source add ci --type webhook --set scheme=github --secret secret=CI_SECRET
  $ drydock source list`;

export function defineCommand(program: Command, context: CommandContext): void {
  const source = program
    .command("source")
    .summary("event sources: webhooks, schedules, chats")
    .description("Where events come from, and answers go to.")
    .addHelpText("afterAll", HELP);
  defineTypes(source, context);
  defineAdd(source, context);
  defineList(source, context);
  defineShow(source, context);
  defineEdit(source, context);
  defineSwitch(source, context, true);
  defineSwitch(source, context, false);
  defineTest(source, context);
  defineRemove(source, context);
}

function defineTypes(source: Command, { terminal }: CommandContext): void {
  source
    .command("types")
    .description("Lists the types of sources; of one, its settings and secrets.")
    .argument("[type]", "the type whose settings are shown")
    .addOption(jsonOption())
    .action(async (name: string | undefined, { json }: RunFlags) => {
      const all = await useDock((dock) => dock.host.sources.types());
      const types = all.filter(({ type }) => name === undefined || type === name);
      if (json) return terminal.out(`${JSON.stringify({ types })}\n`);
      if (types.length === 0) return terminal.out(`There is no type ${name}. \`drydock source types\` lists them.\n`);
      terminal.out(types.map((type) => renderType(type, name !== undefined)).join(name === undefined ? "" : "\n"));
    });
}

function renderType({ type, summary, events, settings, secrets }: SourceTypeInfo, isWhole: boolean): string {
  if (!isWhole) return `${type.padEnd(12)}${summary}\n`;
  const { properties = {}, required = [] } = settings as {
    properties?: Record<string, { description?: string; default?: unknown }>;
    required?: string[];
  };
  const fields = Object.entries(properties).map(([name, { description = "", default: usual }]) => {
    const need = required.includes(name) ? " (required)" : usual === undefined ? "" : ` (default: ${String(usual)})`;
    return `  --set ${name}=…${need}\n      ${description}\n`;
  });
  const named = secrets.map(
    ({ name, description, required: isNeeded }) =>
      `  --secret ${name}=NAME${isNeeded ? " (required)" : ""}\n      ${description}\n`,
  );
  return `${type}: ${summary}\nEvents: ${events.join(", ")}\n${[...fields, ...named].join("")}`;
}

function defineList(source: Command, { terminal }: CommandContext): void {
  source
    .command("list")
    .description("Lists the sources with their status.")
    .addOption(jsonOption())
    .action(async ({ json }: RunFlags) => {
      const sources = await useDock((dock) => dock.host.sources.list());
      if (json) return terminal.out(`${JSON.stringify({ sources })}\n`);
      if (sources.length === 0) return terminal.out("No sources. `drydock source add --help` shows how to add one.\n");
      const rows = sources.map(({ name, type, status }) => [
        ...[name, type, status.state, String(status.events)],
        cleanLine(status.problem ?? ""),
      ]);
      const head = ["NAME", "TYPE", "STATE", "EVENTS", "PROBLEM"];
      terminal.out(renderTable([head, ...rows], { columns: terminal.columns }));
    });
}

function defineShow(source: Command, { terminal }: CommandContext): void {
  source
    .command("show")
    .description("Shows a source with its settings and its status.")
    .argument("<name>", "the source")
    .addOption(jsonOption())
    .action(async (name: string, { json }: RunFlags) => {
      const found = await useDock((dock) => dock.host.sources.find(name));
      terminal.out(json ? `${JSON.stringify(found)}\n` : renderSource(found));
    });
}

function renderSource({ name, type, address, settings, secrets, status }: HostSource): string {
  const { state, since, problem, hint, retryAt, events, refused, lastEventAt, lastOutcome } = status;
  const last = lastEventAt === null ? "none" : `${lastEventAt}${lastOutcome === null ? "" : `, ${lastOutcome}`}`;
  const lines = [
    ["type", type],
    ...(address === null ? [] : [["address", address]]),
    ...Object.entries(settings).map(([key, value]) => [key, typeof value === "string" ? value : JSON.stringify(value)]),
    ...Object.entries(secrets).map(([key, value]) => [key, `the secret ${value}`]),
    ["state", since === null ? state : `${state} since ${since}`],
    ...(state === "stopped" ? [["hint", "no server runs it now: `drydock serve` does"]] : []),
    ...(problem === null ? [] : [["problem", problem]]),
    ...(hint === null ? [] : [["hint", hint]]),
    ...(retryAt === null ? [] : [["next try", retryAt]]),
    ["events", `${events}, refused: ${refused}`],
    ["last event", last],
  ];
  return `${name}\n${lines.map(([key = "", value = ""]) => `  ${`${key}:`.padEnd(15)}${cleanLine(value)}\n`).join("")}`;
}

function defineSwitch(source: Command, { terminal }: CommandContext, enabled: boolean): void {
  const word = enabled ? "enable" : "disable";
  source
    .command(word)
    .description(enabled ? "Switches a source on." : "Switches a source off. Its settings stay.")
    .argument("<name>", "the source")
    .addOption(jsonOption())
    .action(async (name: string, { json }: RunFlags) => {
      const changed = await useDock((dock) => dock.host.sources.change(name, { enabled }));
      terminal.out(json ? `${JSON.stringify(changed)}\n` : `The source ${name} is ${word}d.\n`);
    });
}

function defineTest(source: Command, context: CommandContext): void {
  const { terminal } = context;
  source
    .command("test")
    .description("Tries a source: asks the platform who it is, or fires a schedule once.")
    .argument("<name>", "the source")
    .addOption(jsonOption())
    .action(async (name: string, { json }: RunFlags) => {
      using interrupts = watchInterrupts();
      const signal = AbortSignal.any([interrupts.signal, terminal.closed]);
      const tested = await useDock((dock) => dock.host.sources.test(name, { signal }));
      const { ok, detail, hint } = tested;
      const shown = `${ok ? "ok" : "failed"}: ${cleanLine(detail)}\n${hint === null ? "" : `  ${cleanLine(hint)}\n`}`;
      terminal.out(json ? `${JSON.stringify(tested)}\n` : shown);
      if (!ok) context.status = 1;
    });
}

function defineRemove(source: Command, { terminal }: CommandContext): void {
  source
    .command("remove")
    .description("Stops a source and removes it. Its events and conversations stay on record.")
    .argument("<name>", "the source")
    .addOption(jsonOption())
    .action(async (name: string, { json }: RunFlags) => {
      const removed = await useDock((dock) => dock.host.sources.remove(name));
      terminal.out(json ? `${JSON.stringify(removed)}\n` : `The source ${name} is removed.\n`);
    });
}
