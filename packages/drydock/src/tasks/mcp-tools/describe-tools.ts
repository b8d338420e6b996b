import { createHash } from "node:crypto";
import type { McpServerSpec } from "@drydock/protocol";
import picomatch from "picomatch";

/** A tool as a server lists it, as far as it matters here. */
interface ListedTool {
  name: string;
  title?: string;
  description?: string;
  inputSchema: Record<string, unknown>;
}

export interface ServerTool {
  /** As the model sees it: the server's name, two underscores, the tool's. */
  shownName: string;
  name: string;
  description: string;
  inputSchema: Record<string, unknown>;
}

export interface ServerTools {
  tools: ServerTool[];
  /** Tools that are not shown, and why. */
  leftOut: { name: string; reason: string }[];
}

const MAX_TOOLS = 500;
const MAX_DESCRIPTION_CHARS = 1024;
const MAX_SCHEMA_CHARS = 32 * 1024;
const MAX_SHOWN_NAME = 64;
const NAME = /^[A-Za-z0-9_./-]{1,128}$/;

/**
 * What a model gets to see of a server's tools. All of it is the server's own text and is held to a shape: plain names,
 * descriptions without invisible characters, schemas of limited size.
 */
export function describeTools(
  spec: McpServerSpec,
  listed: readonly ListedTool[],
  isPermitted: (tool: string) => boolean = () => true,
): ServerTools {
  const isAllowed = spec.tools ? picomatch(spec.tools, { dot: true }) : () => true;
  const isExcluded = spec.exclude ? picomatch(spec.exclude, { dot: true }) : () => false;
  const tools = new Map<string, ServerTool>();
  const leftOut: ServerTools["leftOut"] = [];
  const judge = ({ name, inputSchema }: ListedTool): string | null => {
    if (tools.size >= MAX_TOOLS) return `there are more than ${MAX_TOOLS} tools`;
    if (!NAME.test(name)) return "its name is none: letters, digits and _ . / - only";
    if (!isAllowed(name) || isExcluded(name)) return "it is not on the list of allowed tools";
    if (!isPermitted(name)) return `the policy does not allow it (mcp.allow: ${spec.name}/${name})`;
    if (tools.has(showName(spec.name, name))) return "another tool has this name";
    return measure(inputSchema) > MAX_SCHEMA_CHARS ? "its input schema is too large" : null;
  };
  for (const tool of listed) {
    const { name, description = "", inputSchema } = tool;
    const reason = judge(tool);
    if (reason === null) {
      const shownName = showName(spec.name, name);
      const words = cleanText(description).slice(0, MAX_DESCRIPTION_CHARS).trim();
      tools.set(shownName, { shownName, name, description: words, inputSchema: { ...inputSchema } });
    } else if (leftOut.length < MAX_TOOLS) leftOut.push({ name: cleanName(name), reason });
  }
  return { tools: [...tools.values()], leftOut };
}

function showName(server: string, name: string): string {
  const whole = `${server}__${name.replace(/[^A-Za-z0-9_-]/g, "_")}`;
  if (whole.length <= MAX_SHOWN_NAME) return whole;
  const mark = createHash("sha256").update(name).digest("hex").slice(0, 8);
  return `${whole.slice(0, MAX_SHOWN_NAME - mark.length - 1)}_${mark}`;
}

/** A name that is shown to people stands on one line. */
function cleanName(name: string): string {
  return cleanText(name)
    .replace(/[\n\t]/g, " ")
    .slice(0, 128);
}

function measure(value: unknown): number {
  try {
    return JSON.stringify(value).length;
  } catch {
    return Number.POSITIVE_INFINITY; // nested too deeply to be written down
  }
}

/** Without escape sequences, control characters, and letters that change or hide what stands there. */
export function cleanText(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?/g, "\n")
    .replace(/[^\P{C}\n\t]/gu, "");
}
