import { BINDING_SCOPES, type BindingScope, type NewHostAgent } from "@drydock/protocol";
import { type Command, Option } from "commander";
import type * as z from "zod";
import { renderTable } from "../../../terminal/render/render-table.ts";
import { useDock } from "../../../terminal/use-dock.ts";
import type { CommandContext } from "../../command-context.ts";
import { jsonOption } from "../../flags/add-flags.ts";
import type { RunFlags } from "../../flags/run-flags.ts";
import { defineEdit } from "./agent-edit.ts";
import { defineEnable } from "./agent-enable.ts";
import { addFiles } from "./agent-files.ts";
import { defineConversations } from "./agent-history.ts";
import { defineSend } from "./agent-send.ts";
import { defineShow, describeBinding } from "./agent-show.ts";
import { readFilter } from "./read-filter.ts";
import { readObject } from "./read-object.ts";

const HELP = `
An agent of the host is a runner of a plugin, with settings and with what its runs may use. It lasts, and answers the
events that are bound to it. (drydock agents, with an s, calls agents that a file exports.)

Examples:
  $ drydock agent new helper --runner local-agent
  $ drydock agent bind helper
  $ drydock agent send "Hello"
  $ drydock agent bind helper --filter input.text^=/ticket --priority 1
  $ drydock agent dry-run --type member.joined`;

export function defineCommand(program: Command, context: CommandContext): void {
  const agent = program
    .command("agent")
    .summary("agents of the host: create, bind to events, send messages")
    .description("Agents that last, and the events that reach them.")
    .addHelpText("afterAll", HELP);
  defineNew(agent, context);
  defineList(agent, context);
  defineShow(agent, context);
  defineEdit(agent, context);
  defineRemove(agent, context);
  defineEnable(agent, context);
  defineBind(agent, context);
  defineUnbind(agent, context);
  defineBindings(agent, context);
  defineSend(agent, context);
  defineConversations(agent, context);
}

const collect = (value: string, before: string[]) => [...before, value];

interface NewFlags extends Omit<RunFlags, "timeout"> {
  runner: string;
  config?: string;
  model: string[];
  tool: string[];
  action: string[];
  mcpServer: string[];
  knowledge: string[];
  skill: string[];
  box?: string;
  file: string[];
  timeout?: string;
}

function defineNew(agent: Command, { terminal }: CommandContext): void {
  agent
    .command("new")
    .description("Creates an agent.")
    .argument("<name>", "a name of small letters, digits and dashes")
    .requiredOption(
      "--runner <id>",
      "a runner that comes with Drydock, such as local-agent, or plugin:AUTHOR/PLUGIN/RUNNER",
    )
    .option("--config <json>", "settings of the runner, a JSON object")
    .option("--model <id>", "a model that its runs may ask (repeatable)", collect, [])
    .option(
      "--tool <name>",
      "a tool that its runs may use, such as execute_code or csv__head (repeatable)",
      collect,
      [],
    )
    .option(
      "--action <name>",
      "an action that its runs may ask for, such as message.send or ticket.* (repeatable)",
      collect,
      [],
    )
    .option("--mcp-server <json>", "an MCP server whose tools can be granted, a JSON object (repeatable)", collect, [])
    .option("--knowledge <name>", "a knowledge base that its runs may search (repeatable)", collect, [])
    .option("--skill <name>", "a skill that its runs may activate (repeatable)", collect, [])
    .option("--box <json>", 'its sandbox that lasts, a JSON object such as {"scope": "{conversation}"}')
    .option("--file <field=path>", "a file for a field of the settings (repeatable)", collect, [])
    .option("--timeout <seconds>", "how long one answer may take (default: 300)")
    .addOption(jsonOption())
    .action(async (name: string, { runner, config, timeout, json, ...flags }: NewFlags) => {
      const { model: models, tool: tools, action: actions, knowledge, skill: skills } = flags;
      const mcpServers = flags.mcpServer.map(
        (text) => readObject("--mcp-server", text, SERVER) as unknown as McpServer,
      );
      const grants = { models, tools, actions, knowledge, skills };
      const settings = { name, runner, grants, mcpServers, box: readObject("--box", flags.box) };
      const limits = timeout === undefined ? {} : { timeoutSeconds: Number(timeout) };
      const { made, isOff } = await useDock(async (dock) => {
        const { agents } = dock.host;
        const fields = { ...readObject("--config", config), ...(await addFiles(dock, flags.file)) };
        const added = await agents.add({ ...settings, config: fields, ...limits });
        // Only agents that work on this machine have something to agree to.
        const plan = await agents.harness(name).catch(() => null);
        return { made: added, isOff: plan !== null && !plan.enabled };
      });
      const consent = `It is off until you have seen what it may do: \`drydock agent enable ${name}\`. `;
      const next = `${isOff ? consent : ""}It gets no events yet: \`drydock agent bind ${name}\`.`;
      terminal.out(json ? `${JSON.stringify(made)}\n` : `The agent ${name} is created. ${next}\n`);
    });
}

function defineList(agent: Command, { terminal }: CommandContext): void {
  agent
    .command("list")
    .description("Lists the agents.")
    .addOption(jsonOption())
    .action(async ({ json }: RunFlags) => {
      const agents = await useDock((dock) => dock.host.agents.list());
      const rows = agents.map(({ name, runner, grants }) => [name, runner, grants.models.join(", ") || "none"]);
      const table = renderTable([["NAME", "RUNNER", "MODELS"], ...rows], { columns: terminal.columns });
      terminal.out(json ? `${JSON.stringify({ agents })}\n` : rows.length === 0 ? "No agents.\n" : table);
    });
}

function defineBindings(agent: Command, { terminal }: CommandContext): void {
  agent
    .command("bindings")
    .description("Lists the bindings of all agents.")
    .addOption(jsonOption())
    .action(async ({ json }: RunFlags) => {
      const bindings = await useDock((dock) => dock.host.agents.bindings());
      if (json) return terminal.out(`${JSON.stringify({ bindings })}\n`);
      if (bindings.length === 0) return terminal.out("No bindings. `drydock agent bind NAME` makes one.\n");
      const rows = bindings.map((each) => [each.id, each.agent ?? "(discards)", describeBinding(each)]);
      terminal.out(renderTable([["BINDING", "AGENT", "GETS"], ...rows], { columns: terminal.columns }));
    });
}

function defineRemove(agent: Command, { terminal }: CommandContext): void {
  agent
    .command("remove")
    .description("Removes an agent and its bindings. Its runs stay on record.")
    .argument("<name>", "the agent")
    .addOption(jsonOption())
    .action(async (name: string, { json }: RunFlags) => {
      const removed = await useDock((dock) => dock.host.agents.remove(name));
      terminal.out(json ? `${JSON.stringify(removed)}\n` : `The agent ${name} is removed.\n`);
    });
}

interface BindFlags extends RunFlags {
  replace?: string;
  event: string;
  filter: string[];
  scope: BindingScope;
  value?: string;
  priority: string;
}

function defineBind(agent: Command, { terminal }: CommandContext): void {
  agent
    .command("bind")
    .description("Binds an agent to events. Exactly one binding takes an event.")
    .argument("<name>", "the agent")
    .option("--event <type>", "a type, `message.*` or `*`", "message.received")
    .addOption(new Option("--scope <scope>", "where").choices(BINDING_SCOPES).default("global"))
    .option("--value <id>", "the id that the scope names")
    .option(
      "--filter <test>",
      "a test of the event: input.text^=/ticket, data.kind=bug,task, actor.actor_type!=bot, data.kind, !data.kind (repeatable)",
      collect,
      [],
    )
    .option("--priority <number>", "the higher one wins where two bindings fit equally", "0")
    .option("--replace <binding>", "a binding in whose place this one comes, by its id")
    .addOption(jsonOption())
    .action(async (name: string, { event, scope, value, filter, priority, replace, json }: BindFlags) => {
      const filters = filter.map(readFilter);
      const binding = { agent: name, event, scope, value: value ?? null, filters, priority: Number(priority) };
      const made = await useDock(({ host: { agents } }) =>
        replace === undefined ? agents.bind(binding) : agents.rebind(replace, binding),
      );
      terminal.out(json ? `${JSON.stringify(made)}\n` : `${name} gets ${event} (${scope}). Binding ${made.id}.\n`);
    });
}

function defineUnbind(agent: Command, { terminal }: CommandContext): void {
  agent
    .command("unbind")
    .description("Removes a binding.")
    .argument("<binding>", "its id, as `drydock agent bindings` lists it")
    .addOption(jsonOption())
    .action(async (id: string, { json }: RunFlags) => {
      const removed = await useDock((dock) => dock.host.agents.unbind(id));
      terminal.out(json ? `${JSON.stringify(removed)}\n` : `The binding ${removed.id} is removed.\n`);
    });
}

type McpServer = NonNullable<z.input<typeof NewHostAgent>["mcpServers"]>[number];

const SERVER = '{"name": "files", "command": ["python3", "server.py"], "workspace": "/srv/files"}';
