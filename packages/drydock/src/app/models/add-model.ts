import { join } from "node:path";
import { DrydockError, explainIssue, HomeConfig, type ModelsConfig, ProviderConfig } from "@drydock/protocol";
import type { Document } from "yaml";
import { findProvider, PROVIDERS } from "../../base/providers/index.ts";
import { openDocument, parseYaml, readYamlText } from "../../base/yaml-files/index.ts";
import { parseModelSpec } from "../../models/index.ts";
import { replaceFile } from "../runs/replace-file.ts";
import type { AddedModel, AddModelOptions } from "./api.ts";
import { CONFIG_KIND } from "./config-models.ts";

/**
 * Writes a model, and what its provider needs, into `config.yaml`; comments, order and all other keys stay. A key is
 * never written: the file names the variable that holds it.
 */
export async function addModel(home: string, options: AddModelOptions): Promise<AddedModel> {
  const { id, provider } = readModelName(options.model);
  const file = join(home, "config.yaml");
  const text = (await readYamlText(file, CONFIG_KIND)) ?? "";
  const before: ModelsConfig = (await parseYaml(file, text, HomeConfig)).models ?? {};
  const settings = readProviderSettings(provider, options, before);
  const document = await openDocument(text);
  for (const [name, value] of Object.entries(settings)) {
    document.setIn(["models", "providers", provider, name], value);
  }
  const fallbacks = before.fallbacks ?? [];
  if (options.fallback) addFallback(document, before, id);
  else {
    document.setIn(["models", "default"], id);
    // A model that is its own fallback would be asked twice.
    if (fallbacks.includes(id)) removeFallback(document, fallbacks.indexOf(id), fallbacks.length);
  }
  const written = document.toString({ lineWidth: 0 });
  await parseYaml(file, written, HomeConfig);
  if (written !== text) await replaceFile(file, written);
  const replaced = !options.fallback && before.default !== undefined && before.default !== id ? before.default : null;
  return { file, model: id, role: options.fallback ? "fallback" : "default", replaced };
}

function readModelName(model: string): { id: string; provider: string } {
  const parsed = parseModelSpec(model);
  if (parsed.kind === "providers" && parsed.models.length === 1) return parsed.models[0];
  throw new DrydockError(
    "input.invalid",
    `${JSON.stringify(model)} is not the name of one model.`,
    "Add one at a time, as PROVIDER/NAME; a script is named by --model scripted:FILE.",
    { model },
  );
}

function readProviderSettings(provider: string, options: AddModelOptions, before: ModelsConfig): ProviderConfig {
  const { baseUrl, keyVariable, api, schemas } = options;
  const settings = Object.fromEntries(
    Object.entries({ baseUrl, keyVariable, api, schemas }).filter(([, value]) => value !== undefined),
  );
  const checked = ProviderConfig.safeParse(settings);
  if (!checked.success) {
    const [issue] = checked.error.issues;
    const name = String(issue?.path[0] ?? "provider");
    throw new DrydockError(
      "input.invalid",
      `${name}: ${issue ? explainIssue(issue) : "can't be used"}.`,
      HINTS[name] ?? "Correct it.",
      { key: name },
    );
  }
  const isKnown = findProvider(provider) !== undefined || before.providers?.[provider]?.baseUrl !== undefined;
  if (isKnown || baseUrl !== undefined) return checked.data;
  throw new DrydockError(
    "input.invalid",
    `There is no provider ${JSON.stringify(provider)} yet, and no address for it.`,
    `Known: ${PROVIDERS.map(({ name }) => name).join(", ")}. For another one: drydock model add ${options.model} --base-url URL [--key-variable VARIABLE]`,
    { provider },
  );
}

/** A key that was passed by mistake is not repeated. */
const HINTS: Readonly<Record<string, string>> = {
  baseUrl: "Give an address such as http://127.0.0.1:8000/v1, and a key by --key-variable.",
  keyVariable: "Put the key into an environment variable, and give that variable's name: --key-variable MY_API_KEY",
};

function addFallback(document: Document, { default: first, fallbacks = [] }: ModelsConfig, id: string): void {
  if (first === undefined) {
    const hint = `Add a default first, or make it the default: drydock model add ${id}`;
    throw new DrydockError("input.invalid", `${id} can't be a fallback: there is no default model.`, hint);
  }
  if (first === id || fallbacks.includes(id)) return;
  if (fallbacks.length === 0) document.setIn(["models", "fallbacks"], document.createNode([id], { flow: true }));
  else document.addIn(["models", "fallbacks"], id);
}

function removeFallback(document: Document, index: number, count: number): void {
  document.deleteIn(count === 1 ? ["models", "fallbacks"] : ["models", "fallbacks", index]);
}
