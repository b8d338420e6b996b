import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DrydockError } from "@drydock/protocol";

/** Prompt templates; the owner's files replace the built-in ones. */
export interface PromptTemplates<Name extends string = string> {
  render(name: Name, values: Record<string, unknown>): Promise<string>;
  /** Rejects where a template can't be read. */
  check(): Promise<void>;
  /** The hash of each template's text, for the record of a prompt. */
  readonly hashes: Readonly<Record<Name, string>>;
}

export interface TemplatePlaces<Name extends string> {
  names: readonly Name[];
  /** Where Drydock's own templates may be: in the source, and in what was built. */
  own: readonly string[];
  /** A directory with templates of the owner, `plan.liquid` and so on; it need not exist. */
  overrides: string;
}

const MAX_RENDER_MS = 2000;
const MAX_OUTPUT_CHARS = 4_000_000;

export function loadTemplates<Name extends string>({
  names,
  own,
  overrides,
}: TemplatePlaces<Name>): PromptTemplates<Name> {
  const texts = Object.fromEntries(names.map((name) => [name, readTemplate(name, [overrides, ...own])]));
  const hashes = Object.fromEntries(
    Object.entries(texts).map(([name, { text }]) => [name, createHash("sha256").update(text).digest("hex")]),
  ) as Record<Name, string>;
  let engine: Promise<(name: string, values: Record<string, unknown>) => string> | undefined;
  return {
    hashes,
    async render(name, values) {
      engine ??= createEngine(texts);
      return (await engine)(name, values);
    },
    async check() {
      engine ??= createEngine(texts);
      await engine;
    },
  };
}

interface Template {
  text: string;
  path: string;
}

function readTemplate(name: string, directories: readonly string[]): Template {
  const file = `${name}.liquid`;
  const path = directories.map((directory) => join(directory, file)).find((candidate) => existsSync(candidate));
  if (path === undefined) throw new Error(`the template ${file} is missing`);
  return { text: readFileSync(path, "utf8"), path };
}

/** Values are inert: text in them is never read as a template, and no property of an object but its own is reached. */
async function createEngine(templates: Record<string, Template>) {
  const { Liquid } = await import("liquidjs");
  const liquid = new Liquid({
    strictVariables: true,
    strictFilters: true,
    ownPropertyOnly: true,
    renderLimit: MAX_RENDER_MS,
    memoryLimit: MAX_OUTPUT_CHARS,
    lenientIf: true,
    // Templates include nothing: there is no file system for them.
    templates: {},
  });
  // A template that can't be read is found before the first prompt, and not in the middle of a run.
  const parsed = Object.fromEntries(
    Object.entries(templates).map(([name, template]) => [
      name,
      { path: template.path, parts: explained(template.path, () => liquid.parse(template.text)) },
    ]),
  );
  return (name: string, values: Record<string, unknown>): string => {
    const template = parsed[name];
    if (!template) throw new Error(`the template ${name} is missing`);
    return explained(template.path, () => String(liquid.renderSync(template.parts, values)));
  };
}

function explained<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw new DrydockError(
      "input.invalid",
      `The prompt template ${path} can't be used: ${(error as Error).message}`,
      "Fix it, or delete it to use the built-in template.",
      { path },
      error,
    );
  }
}
