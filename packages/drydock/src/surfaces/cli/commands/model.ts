import { ProviderApi } from "@drydock/protocol";
import { type Command, Option } from "commander";
import { SUGGESTIONS } from "../../../base/providers/index.ts";
import { cleanLine } from "../../terminal/clean-text.ts";
import { useDock, useRecords } from "../../terminal/use-dock.ts";
import { watchInterrupts } from "../../terminal/watch-interrupts.ts";
import type { CommandContext } from "../command-context.ts";
import { jsonOption } from "../flags/add-flags.ts";
import { renderAddedModel, renderModels, renderRemovedModel, renderTestedModel } from "../render/render-models.ts";

interface AddFlags {
  fallback?: boolean;
  baseUrl?: string;
  keyVariable?: string;
  api?: ProviderApi;
  schemas?: boolean;
  json?: boolean;
}

/** What commands say of an argument that is a configured model. */
const MODEL_ARGUMENT = "a configured model, PROVIDER/NAME";

const HELP = `
A model is named PROVIDER/NAME. Drydock uses the model that --model names, else the one in DRYDOCK_MODEL, else the
default in config.yaml in Drydock's home. If none of them is set, it uses the first of these keys that it finds in the
environment: ${SUGGESTIONS.map(({ keyVariable }) => keyVariable).join(", ")}. Keys are never written to config.yaml, only the names of
the variables that hold them.

Examples:
  $ drydock model list
  $ drydock model add anthropic/claude-sonnet-4-5
  $ drydock model add openai/gpt-5 --fallback
  $ drydock model add vllm/qwen3 --base-url http://127.0.0.1:8000/v1 --key-variable VLLM_API_KEY
  $ drydock model test
  $ drydock model remove openai/gpt-5`;

export function defineCommand(program: Command, context: CommandContext): void {
  const model = program
    .command("model")
    .summary("which language model is used: list, add, remove, test")
    .description("The language models that goals, tasks and agents use.")
    .addHelpText("afterAll", HELP);
  defineList(model, context);
  defineAdd(model, context);
  defineRemove(model, context);
  defineTest(model, context);
}

function defineList(model: Command, { terminal }: CommandContext): void {
  model
    .command("list")
    .description("Shows which model is used, why, and whether each provider's key is set. Sends no request.")
    .addOption(jsonOption())
    .addOption(new Option("--complete", "print one candidate a line, for a shell").hideHelp())
    .action(async ({ json, complete }: { json?: boolean; complete?: boolean }) => {
      const found = await useRecords((dock) => dock.models.list());
      if (complete) {
        for (const name of new Set([...found.models, ...found.suggested])) terminal.out(`${cleanLine(name)}\n`);
        return;
      }
      terminal.out(json ? `${JSON.stringify(found)}\n` : renderModels(found, terminal.outColors));
    });
}

function defineAdd(model: Command, { terminal }: CommandContext): void {
  model
    .command("add")
    .description("Writes a model into config.yaml. It becomes the default; comments and other settings stay.")
    .argument("<model>", "PROVIDER/NAME")
    .option("--fallback", "use it only if the default, and the fallbacks before it, fail")
    .option("--base-url <url>", "the provider's address, including /v1; required for a server of your own")
    .option("--key-variable <name>", "the environment variable that holds its key, if it needs one")
    .addOption(
      new Option("--api <api>", "the API that the server offers (default: by the provider's name)").choices(
        ProviderApi.options,
      ),
    )
    .option("--no-schemas", "the server does not support a JSON Schema in a request")
    .addOption(jsonOption())
    .action(async (name: string, flags: AddFlags) => {
      const { fallback, baseUrl, keyVariable, api, json } = flags;
      const schemas = flags.schemas === false ? false : undefined;
      const [added, list] = await useDock(async ({ models }) => [
        await models.add({ model: name, fallback, baseUrl, keyVariable, api, schemas }),
        await models.list(),
      ]);
      terminal.out(json ? `${JSON.stringify(added)}\n` : renderAddedModel(added, list, terminal.outColors));
    });
}

function defineRemove(model: Command, { terminal }: CommandContext): void {
  model
    .command("remove")
    .description("Removes a model from config.yaml. If it was the default, the first fallback becomes the default.")
    .argument("<model>", MODEL_ARGUMENT)
    .addOption(jsonOption())
    .action(async (name: string, { json }: { json?: boolean }) => {
      const removed = await useDock(({ models }) => models.remove(name));
      terminal.out(json ? `${JSON.stringify(removed)}\n` : renderRemovedModel(removed, terminal.outColors));
    });
}

function defineTest(model: Command, { terminal }: CommandContext): void {
  model
    .command("test")
    .description("Sends one short question and shows who answered, how fast, and what it cost.")
    .argument("[model]", `${MODEL_ARGUMENT} (default: the one in use)`)
    .addOption(jsonOption())
    .action(async (name: string | undefined, { json }: { json?: boolean }) => {
      using interrupts = watchInterrupts();
      const signal = AbortSignal.any([interrupts.signal, terminal.closed]);
      const onNotice = (text: string) => terminal.err(`${cleanLine(text)}\n`);
      const result = await useDock((dock) => dock.models.test({ model: name, signal, onNotice }));
      terminal.out(json ? `${JSON.stringify(result)}\n` : renderTestedModel(result, terminal.outColors));
    });
}
