import { DrydockError } from "@drydock/protocol";
import { Liquid } from "liquidjs";

const MAX_RENDER_MS = 2000;
const MAX_OUTPUT_CHARS = 4_000_000;
const MAX_TEMPLATE_CHARS = 200_000;

/** Values are inert: text in them is never read as a template, and no property of an object but its own is reached. */
const liquid = /* @__PURE__ */ new Liquid({
  strictVariables: true,
  strictFilters: true,
  ownPropertyOnly: true,
  lenientIf: true,
  renderLimit: MAX_RENDER_MS,
  memoryLimit: MAX_OUTPUT_CHARS,
  // Templates include nothing: there is no file system for them.
  templates: {},
});

export type Render = (values: Record<string, unknown>) => string;

export interface TemplatePlace {
  agent: string;
  /** `prompt` or `system`. */
  field: string;
}

/**
 * Reads a template and holds every variable in it against the input's JSON Schema: what is unknown there is an error
 * now, not when the agent is called.
 */
export function readTemplate(text: unknown, schema: Record<string, unknown>, place: TemplatePlace): Render {
  const fail = (problem: string, hint: string) =>
    new DrydockError("input.invalid", `agent ${place.agent}: ${place.field}: ${problem}`, hint, { ...place });
  if (typeof text !== "string" || text.trim() === "") throw fail("it is empty.", "Give a template with words in it.");
  if (text.length > MAX_TEMPLATE_CHARS) throw fail(`it has over ${MAX_TEMPLATE_CHARS} characters.`, "Make it shorter.");
  let used: (string | number | unknown[])[][];
  let parsed: ReturnType<Liquid["parse"]>;
  try {
    parsed = liquid.parse(text);
    used = liquid.globalVariableSegmentsSync(parsed) as typeof used;
  } catch (error) {
    throw fail(
      `the template can't be read: ${messageOf(error)}`,
      "It is a Liquid template: {{ name }}, {% if name %} … {% endif %}.",
    );
  }
  for (const path of used) {
    const unknown = findUnknown(path, schema);
    if (unknown === null) continue;
    const hint =
      unknown.known.length === 0 ? "The input has no variables." : `Known here: ${unknown.known.join(", ")}.`;
    throw fail(`there is no variable ${unknown.name}.`, hint);
  }
  return (values) => {
    try {
      return liquid.renderSync(parsed, values);
    } catch (error) {
      throw fail(
        `it can't be rendered: ${messageOf(error)}`,
        "Give every variable that the template shows, or guard it with {% if %}.",
      );
    }
  };
}

interface Unknown {
  name: string;
  known: string[];
}

/** Looks as deep as the schema says what is there; below that, anything may be. */
function findUnknown(path: readonly unknown[], schema: Record<string, unknown>): Unknown | null {
  let here: Record<string, unknown> = schema;
  const seen: string[] = [];
  for (const part of path) {
    if (typeof part === "number") {
      if (!isObject(here.items)) return null;
      here = here.items;
      continue;
    }
    if (typeof part !== "string" || !isObject(here.properties)) return null;
    seen.push(part);
    const next = here.properties[part];
    if (!Object.hasOwn(here.properties, part)) {
      return here.additionalProperties === undefined || here.additionalProperties === false
        ? { name: seen.join("."), known: Object.keys(here.properties) }
        : null;
    }
    if (!isObject(next)) return null;
    here = next;
  }
  return null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n")[0] ?? "";
}
