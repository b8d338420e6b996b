import { join } from "node:path";
import { DrydockError, HomeConfig, type ModelsConfig } from "@drydock/protocol";
import type { Document } from "yaml";
import { findProvider } from "../../base/providers/index.ts";
import { parseYaml, readYamlText } from "../../base/yaml-files/index.ts";
import { replaceFile } from "../runs/replace-file.ts";
import type { RemovedModel } from "./api.ts";
import { CONFIG_KIND } from "./config-models.ts";

/**
 * Removes a model from `config.yaml`. Where it was the default, the first fallback takes its place. A provider that was
 * added for it, and that no other model of the file uses, goes with it; comments and all other settings stay.
 */
export async function removeModel(home: string, model: string): Promise<RemovedModel> {
  const file = join(home, "config.yaml");
  const text = (await readYamlText(file, CONFIG_KIND)) ?? "";
  const before: ModelsConfig = (await parseYaml(file, text, HomeConfig)).models ?? {};
  const { default: first, fallbacks = [] } = before;
  const role = model === first ? "default" : fallbacks.includes(model) ? "fallback" : null;
  if (role === null) throw notConfigured(file, model, first === undefined ? fallbacks : [first, ...fallbacks]);
  const document = (await import("yaml")).parseDocument(text, { version: "1.2" });
  const kept = fallbacks.filter((each) => each !== model);
  const next = role === "default" ? (kept.shift() ?? null) : (first ?? null);
  if (next === null) document.deleteIn(["models", "default"]);
  else if (role === "default") document.setIn(["models", "default"], next);
  if (kept.length === 0) document.deleteIn(["models", "fallbacks"]);
  else keepFallbacks(document, fallbacks, kept);
  const provider = removeProvider(document, before, model, [...(next === null ? [] : [next]), ...kept]);
  removeEmpty(document, ["models", "providers"]);
  removeEmpty(document, ["models"]);
  const written = document.toString({ lineWidth: 0 });
  await parseYaml(file, written, HomeConfig);
  await replaceFile(file, written);
  return { file, model, role, next, provider };
}

/** Entries that stay keep their comments. */
function keepFallbacks(document: Document, before: readonly string[], kept: readonly string[]): void {
  for (let index = before.length - 1; index >= 0; index--) {
    if (!kept.includes(before[index] ?? "")) document.deleteIn(["models", "fallbacks", index]);
  }
}

function removeProvider(
  document: Document,
  { providers = {} }: ModelsConfig,
  model: string,
  left: readonly string[],
): string | null {
  const name = model.slice(0, model.indexOf("/"));
  const isOwn = Object.hasOwn(providers, name) && findProvider(name) === undefined;
  if (!isOwn || left.some((each) => each.startsWith(`${name}/`))) return null;
  document.deleteIn(["models", "providers", name]);
  return name;
}

function removeEmpty(document: Document, path: readonly string[]): void {
  const items: unknown = Object(document.getIn(path, true)).items;
  if (Array.isArray(items) && items.length === 0) document.deleteIn(path);
}

function notConfigured(file: string, model: string, known: readonly string[]): DrydockError {
  const hint =
    known.length > 0
      ? `The models in it are ${known.join(", ")}.`
      : "It names no model. A model that is used because of a key in the environment goes with that variable: unset it.";
  return new DrydockError("input.invalid", `The model ${model} is not in ${file}.`, hint, { model, file });
}
