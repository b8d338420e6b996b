import { DrydockError } from "@drydock/protocol";

export interface ModelName {
  /** `provider/name`. */
  id: string;
  provider: string;
  name: string;
}

export type ParsedSpec =
  | { kind: "scripted"; file: string }
  | { kind: "providers"; models: [ModelName, ...ModelName[]] };

const SCRIPTED = "scripted:";

/** `provider/name`, a list of them in the order of use (an array, or with commas), or `scripted:FILE`. */
export function parseModelSpec(spec: string | readonly string[]): ParsedSpec {
  const specs = typeof spec === "string" ? [spec] : spec;
  const script = specs.find((entry) => entry.trim().startsWith(SCRIPTED));
  if (script !== undefined) return parseScripted(script, specs);
  const [first, ...others] = specs.flatMap((entry) => entry.split(",")).map((entry) => parseName(entry.trim()));
  if (!first) throw invalid("No model is named.");
  return { kind: "providers", models: [first, ...others] };
}

/** The whole rest is the file's name: it may hold commas. */
function parseScripted(script: string, specs: readonly string[]): ParsedSpec {
  if (specs.length > 1) throw invalid("A scripted model can't be combined with other models.");
  const file = script.trim().slice(SCRIPTED.length).trim();
  if (file === "") throw invalid("scripted: names no file.");
  return { kind: "scripted", file };
}

function parseName(entry: string): ModelName {
  const slash = entry.indexOf("/");
  const [provider, name] = [entry.slice(0, slash), entry.slice(slash + 1)];
  if (slash < 1 || name === "") throw invalid(`${JSON.stringify(entry)} is not a valid model name.`);
  return { id: entry, provider, name };
}

function invalid(message: string): DrydockError {
  const hint =
    "Name a model as PROVIDER/NAME (anthropic/claude-sonnet-4-5, ollama/llama3), several of them with commas in the order of use, or scripted:FILE. Goals also take `repair`, a search without a model.";
  return new DrydockError("input.invalid", message, hint);
}
