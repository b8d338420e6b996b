import { type Command, InvalidArgumentError, Option } from "commander";
import { cleanLine } from "../../terminal/clean-text.ts";
import { useDock, useRecords } from "../../terminal/use-dock.ts";
import { watchInterrupts } from "../../terminal/watch-interrupts.ts";
import type { CommandContext } from "../command-context.ts";
import { collectText, jsonOption, parsePositive } from "../flags/add-flags.ts";
import {
  renderAddedUpstream,
  renderRemovedUpstream,
  renderTestedUpstream,
  renderUpstreams,
} from "../render/render-upstreams.ts";

const UPSTREAM_PRESETS = ["anthropic", "openai", "gemini", "github"] as const;

interface AddFlags {
  preset?: (typeof UPSTREAM_PRESETS)[number];
  baseUrl?: string;
  keyVariable?: string;
  keyFile?: string;
  provider?: string;
  header?: string;
  scheme?: string;
  user?: string;
  allow?: string[];
  maxTokens?: number;
  maxUsd?: number;
  json?: boolean;
}

/** What commands say of an argument that is a configured upstream. */
const UPSTREAM_ARGUMENT = "a configured upstream";

const HELP = `
An upstream is a server that code in the sandbox uses without seeing its key. Code asks for http://NAME.dock/…, or finds
its address in the usual variables (OPENAI_BASE_URL, ANTHROPIC_BASE_URL, …). Outside, Drydock checks method and path, adds
the key, counts tokens and money, and takes the key out of the answer.

Examples:
  $ drydock upstream add openai --max-usd 2
  $ drydock upstream add search --base-url https://search.example.org --key-file ~/.search-key --allow 'GET /v1/**'
  $ drydock upstream test openai
  $ drydock exec --upstream openai -- python agent.py
  $ drydock upstream remove openai`;

export function defineCommand(program: Command, context: CommandContext): void {
  const upstream = program
    .command("upstream")
    .summary("servers that runs use without their keys: list, add, test, remove")
    .description("Servers that code in the sandbox uses without seeing their keys.")
    .addHelpText("afterAll", HELP);
  defineList(upstream, context);
  defineAdd(upstream, context);
  defineTest(upstream, context);
  defineRemove(upstream, context);
}

function defineList(upstream: Command, { terminal }: CommandContext): void {
  upstream
    .command("list")
    .description("Shows the configured upstreams, and whether each key is there. Sends no request.")
    .addOption(jsonOption())
    .addOption(new Option("--complete", "print one candidate a line, for a shell").hideHelp())
    .action(async ({ json, complete }: { json?: boolean; complete?: boolean }) => {
      const found = await useRecords((dock) => dock.upstreams.list());
      if (complete) for (const { name, baseUrl } of found) terminal.out(`${name}\t${cleanLine(baseUrl)}\n`);
      else terminal.out(json ? `${JSON.stringify(found)}\n` : renderUpstreams(found, terminal.outColors));
    });
}

function defineAdd(upstream: Command, { terminal }: CommandContext): void {
  upstream
    .command("add")
    .description("Writes an upstream into config.yaml, and lets runs ask for it in the owner's policy.")
    .argument("<name>", "anthropic, openai, gemini or github, or a name of your own")
    .addOption(
      new Option("--preset <name>", "what is assumed for all that is not given (default: the one of its name)").choices(
        UPSTREAM_PRESETS,
      ),
    )
    .option("--base-url <url>", "where its requests go (default: the provider's own address)")
    .option("--key-variable <name>", "the environment variable that holds its key")
    .option("--key-file <file>", "a file that holds its key, and that only you can read")
    .option("--provider <name>", "use address and key of this model provider of config.yaml")
    .option("--header <name>", "the header that carries the key (default: Authorization)")
    .option("--scheme <word>", "the word before the key in that header, such as Bearer or Basic; '' for none")
    .option("--user <name>", "the user name before the key, with --scheme Basic")
    .option("--allow <rule>", "what runs may ask for, as 'METHOD /path'; may be repeated", collectText)
    .option("--max-tokens <count>", "tokens that one run may use", parseTokens)
    .option("--max-usd <amount>", "US dollars that one run may use", parsePositive)
    .addOption(jsonOption())
    .action(async (name: string, { json, maxTokens, maxUsd, keyFile, ...settings }: AddFlags) => {
      const { resolve } = await import("node:path");
      const limits = { ...(maxTokens && { tokens: maxTokens }), ...(maxUsd && { usd: maxUsd }) };
      const added = await useDock(({ upstreams }) =>
        upstreams.add({
          ...{ name, ...settings, keyFile: keyFile === undefined ? undefined : resolve(keyFile) },
          ...(Object.keys(limits).length > 0 && { budget: limits }),
        }),
      );
      terminal.out(json ? `${JSON.stringify(added)}\n` : renderAddedUpstream(added, terminal.outColors));
    });
}

function defineTest(upstream: Command, context: CommandContext): void {
  const { terminal } = context;
  upstream
    .command("test")
    .description("Sends one request that costs nothing, with the key, and shows what was answered.")
    .argument("<name>", UPSTREAM_ARGUMENT)
    .addOption(jsonOption())
    .action(async (name: string, { json }: { json?: boolean }) => {
      using interrupts = watchInterrupts();
      const signal = AbortSignal.any([interrupts.signal, terminal.closed]);
      const tested = await useDock((dock) => dock.upstreams.test(name, { signal }));
      terminal.out(json ? `${JSON.stringify(tested)}\n` : renderTestedUpstream(tested, terminal.outColors));
      if (!tested.ok) context.status = 1;
    });
}

function defineRemove(upstream: Command, { terminal }: CommandContext): void {
  upstream
    .command("remove")
    .description("Removes an upstream from config.yaml. Runs can't use it from then on.")
    .argument("<name>", UPSTREAM_ARGUMENT)
    .addOption(jsonOption())
    .action(async (name: string, { json }: { json?: boolean }) => {
      const removed = await useDock(({ upstreams }) => upstreams.remove(name));
      terminal.out(json ? `${JSON.stringify(removed)}\n` : renderRemovedUpstream(removed, terminal.outColors));
    });
}

function parseTokens(text: string): number {
  const count = parsePositive(text);
  if (Number.isInteger(count)) return count;
  throw new InvalidArgumentError("It must be a whole number.");
}
