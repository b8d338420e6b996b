import { ProviderApi } from "@drydock/protocol";
import { type Command, Option } from "commander";
import type { CommandContext } from "../command-context.ts";
import { cleanLine } from "../render/clean-text.ts";
import { renderAddedModel, renderModels, renderTestedModel } from "../render/render-models.ts";
import { jsonOption } from "../run-flags.ts";
import { useDock, useRecords } from "../use-dock.ts";
import { watchInterrupts } from "../watch-interrupts.ts";

interface AddFlags {
  fallback?: boolean;
  baseUrl?: string;
  keyVariable?: string;
  api?: ProviderApi;
  schemas?: boolean;
  json?: boolean;
}

const HELP = `
A model is PROVIDER/NAME. --model wins over DRYDOCK_MODEL, which wins over config.yaml in Drydock's home. Where none of
them names one, the first of these keys that is set decides: ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY.
config.yaml never holds a key, only the name of the variable that does.

Examples:
  $ drydock model list
  $ drydock model add anthropic/claude-sonnet-4-5
  $ drydock model add openai/gpt-5 --fallback
  $ drydock model add vllm/qwen3 --base-url http://127.0.0.1:8000/v1 --key-variable VLLM_API_KEY
  $ drydock model test`;

export function defineCommand(program: Command, context: CommandContext): void {
  const model = program
    .command("model")
    .summary("which language model is used: list, add, test")
    .description("The language models that goals, tasks and agents ask.")
    .addHelpText("afterAll", HELP);
  defineList(model, context);
  defineAdd(model, context);
  defineTest(model, context);
}

function defineList(model: Command, { terminal }: CommandContext): void {
  model
    .command("list")
    .description("Shows which model is used, why, and whether each provider's key is set. Sends no request.")
    .addOption(jsonOption())
    .action(async ({ json }: { json?: boolean }) => {
      const found = await useRecords((dock) => dock.models.list());
      terminal.out(json ? `${JSON.stringify(found)}\n` : renderModels(found, terminal.outColors));
    });
}

function defineAdd(model: Command, { terminal }: CommandContext): void {
  model
    .command("add")
    .description("Writes a model into config.yaml. It becomes the default; comments and other settings stay.")
    .argument("<model>", "PROVIDER/NAME")
    .option("--fallback", "ask it only where the default, and the fallbacks before it, fail")
    .option("--base-url <url>", "the provider's address, up to and with /v1; needed for one of your own")
    .option("--key-variable <name>", "the environment variable that holds its key; leave it out where none is needed")
    .addOption(new Option("--api <api>", "how it is spoken to (default: by its name)").choices(ProviderApi.options))
    .option("--no-schemas", "the server takes no JSON Schema with a request")
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

function defineTest(model: Command, { terminal }: CommandContext): void {
  model
    .command("test")
    .description("Sends one short question and shows who answered, how fast, and what it cost.")
    .argument("[model]", "PROVIDER/NAME (default: the one in use)")
    .addOption(jsonOption())
    .action(async (name: string | undefined, { json }: { json?: boolean }) => {
      using interrupts = watchInterrupts();
      const signal = AbortSignal.any([interrupts.signal, terminal.closed]);
      const onNotice = (text: string) => terminal.err(`${cleanLine(text)}\n`);
      const result = await useDock((dock) => dock.models.test({ model: name, signal, onNotice }));
      terminal.out(json ? `${JSON.stringify(result)}\n` : renderTestedModel(result, terminal.outColors));
    });
}
