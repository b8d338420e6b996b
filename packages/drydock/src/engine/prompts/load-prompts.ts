import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DrydockError } from "@drydock/protocol";

const PROMPT_NAMES = ["plan-system", "plan", "work-system", "work"] as const;
export type PromptName = (typeof PROMPT_NAMES)[number];

/** Templates for what models are told, with the owner's own in the place of ours where there are some. */
export interface Prompts {
  render(name: PromptName, values: Record<string, unknown>): Promise<string>;
  /** The hash of each template's text: which words a model was given is on record. */
  readonly hashes: Readonly<Record<PromptName, string>>;
}

const OWN_DIRECTORY = join(import.meta.dirname, "prompts");
const OWN_DIRECTORY_IN_SOURCE = import.meta.dirname;
const MAX_RENDER_MS = 2000;
const MAX_OUTPUT_CHARS = 4_000_000;

/** @param overrides A directory with templates of the owner, `plan.liquid` and so on; it need not exist. */
export function loadPrompts(overrides: string): Prompts {
  const texts = Object.fromEntries(PROMPT_NAMES.map((name) => [name, readTemplate(name, overrides)]));
  const hashes = Object.fromEntries(
    Object.entries(texts).map(([name, { text }]) => [name, createHash("sha256").update(text).digest("hex")]),
  ) as Record<PromptName, string>;
  let engine: Promise<(name: PromptName, values: Record<string, unknown>) => string> | undefined;
  return {
    hashes,
    async render(name, values) {
      engine ??= createEngine(texts);
      return (await engine)(name, values);
    },
  };
}

interface Template {
  text: string;
  path: string;
}

function readTemplate(name: string, overrides: string): Template {
  const file = `${name}.liquid`;
  const own = [OWN_DIRECTORY, OWN_DIRECTORY_IN_SOURCE].map((directory) => join(directory, file));
  const path = [join(overrides, file), ...own].find((candidate) => existsSync(candidate));
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
  return (name: PromptName, values: Record<string, unknown>): string => {
    const template = templates[name];
    if (!template) throw new Error(`the template ${name} is missing`);
    try {
      return liquid.parseAndRenderSync(template.text, values);
    } catch (error) {
      throw new DrydockError(
        "input.invalid",
        `The prompt template ${template.path} can't be used: ${(error as Error).message}`,
        "Mend it, or remove it to use the one that comes with Drydock.",
        { path: template.path },
        error,
      );
    }
  };
}
