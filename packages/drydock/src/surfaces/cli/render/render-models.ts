import { countWord } from "@drydock/protocol";
import type { AddedModel, ModelList, ProviderInfo, RemovedModel, TestedModel } from "../../../app/index.ts";
import { cleanLine } from "../../terminal/clean-text.ts";
import { renderDuration } from "../../terminal/render/render-quantities.ts";
import { renderTable } from "../../terminal/render/render-table.ts";
import type { Colors } from "../../terminal/terminal.ts";

export function renderModels(list: ModelList, colors: Colors): string {
  const rows = list.providers.map((provider) => [
    cleanLine(provider.name),
    describeKey(provider, colors),
    cleanLine(provider.baseUrl),
    provider.api,
  ]);
  const problems = list.providers.flatMap(({ name, problem }) => (problem === null ? [] : [`${name}: ${problem}`]));
  return [
    describeChoice(list, colors),
    "\n",
    renderTable([["PROVIDER", "KEY", "ADDRESS", "API"], ...rows]),
    ...problems.map((problem) => `${colors.yellow("!")} ${cleanLine(problem)}\n`),
  ].join("");
}

function describeChoice({ models, source, reason }: ModelList, colors: Colors): string {
  const [first, ...fallbacks] = models.map(cleanLine);
  if (first === undefined) {
    return [
      "No model is set up. Goals are left to repair (search, no language model), which only makes failing tests pass.",
      `For a model, set a provider's key (see below), or run ${colors.bold("drydock model add PROVIDER/NAME")}`,
      "",
    ].join("\n");
  }
  if (reason !== null) return `${colors.bold("model:")} ${cleanLine(reason)}\n`;
  const then = fallbacks.length === 0 ? "" : `, then ${fallbacks.join(", ")}`;
  return `${colors.bold("model:")} ${first}${then} ${colors.dim(`(${source})`)}\n`;
}

function describeKey({ keyVariable, hasKey }: ProviderInfo, colors: Colors): string {
  if (keyVariable === null) return "none needed";
  return hasKey ? colors.green(`${keyVariable} is set`) : colors.yellow(`${keyVariable} is not set`);
}

export function renderAddedModel({ file, model, role, replaced }: AddedModel, list: ModelList, colors: Colors): string {
  const name = cleanLine(model);
  const before = replaced === null ? "" : ` (it was ${cleanLine(replaced)})`;
  const lines = [
    `${colors.green("✓")} ${name} is ${role === "default" ? "the default" : "a fallback"} now${before}: ${file}`,
  ];
  const provider = list.providers.find((each) => model.startsWith(`${each.name}/`));
  if (provider && provider.keyVariable !== null && !provider.hasKey) {
    lines.push(
      `  ${colors.yellow("next:")} export ${provider.keyVariable}=…   the key is read from this variable, and not stored`,
    );
  }
  if (list.source === "DRYDOCK_MODEL") {
    lines.push(
      `  ${colors.yellow("!")} DRYDOCK_MODEL is set and is used instead: ${list.models.map(cleanLine).join(", ")}`,
    );
  }
  lines.push(`  try it: drydock model test ${name}`);
  return `${lines.join("\n")}\n`;
}

export function renderRemovedModel({ file, model, role, next, provider }: RemovedModel, colors: Colors): string {
  const lines = [`${colors.green("✓")} ${cleanLine(model)} is removed: ${file}`];
  if (provider !== null) lines.push(`  Its provider ${cleanLine(provider)} is removed, too: no other model uses it.`);
  if (next === null) lines.push("  No model is set up now.");
  else if (role === "default") lines.push(`  The default is ${cleanLine(next)} now.`);
  return `${lines.join("\n")}\n`;
}

export function renderTestedModel(result: TestedModel, colors: Colors): string {
  const { model, reason, text, durationMs, requests, usage } = result;
  const cost = usage.costUsd === null ? "cost unknown" : `$${usage.costUsd.toFixed(4)}`;
  const times = requests === 1 ? "" : `, ${requests} requests`;
  const figures = `${renderDuration(durationMs)}${times}, ${countWord(usage.inputTokens + usage.outputTokens, "token")}, ${cost}`;
  const answer = cleanLine(text).slice(0, 80) || "(no text)";
  const why = reason === null ? "" : `  ${cleanLine(reason)}\n`;
  return `${colors.green("✓")} ${cleanLine(model)} answers: ${answer} ${colors.dim(`(${figures})`)}\n${why}`;
}
