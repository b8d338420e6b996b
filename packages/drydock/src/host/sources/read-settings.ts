import { DrydockError, explainIssues } from "@drydock/protocol";
import { findNearestWord } from "../../base/text/index.ts";
import type { SourceType } from "./adapter.ts";

const MAX_PROBLEMS = 3;

/** Settings as their type wants them, with its defaults. */
export function readSettings(
  { type, settings: schema, secrets }: Pick<SourceType, "type" | "settings" | "secrets">,
  settings: Record<string, unknown>,
): Record<string, unknown> {
  const names = Object.keys(schema.shape);
  // What is said of a name that is not known never repeats its value: it may be a secret in the wrong place.
  for (const name of Object.keys(settings))
    if (!names.includes(name)) throw unknownSetting(type, name, { names, secrets });
  const read = schema.safeParse(settings);
  if (read.success) return read.data;
  const problems = explainIssues(read.error.issues.slice(0, MAX_PROBLEMS), "the settings");
  const hint = `\`drydock source types ${type}\` shows the settings.`;
  throw new DrydockError("input.invalid", `The settings of the source are not valid: ${problems.join("; ")}.`, hint, {
    problems,
  });
}

/** Refuses names of secrets for what the type does not know, and a lack of what it needs. */
export function checkSecrets(
  { type, secrets: known }: Pick<SourceType, "type" | "secrets">,
  secrets: Readonly<Record<string, string>>,
): void {
  const names = Object.keys(known);
  for (const field of Object.keys(secrets)) {
    if (names.includes(field)) continue;
    const hint = names.length === 0 ? "It needs none." : `It has: ${names.join(", ")}.`;
    throw new DrydockError("input.invalid", `A source of the type ${type} has no secret ${field}.`, hint, { field });
  }
  const missing = names.find((field) => known[field]?.required && secrets[field] === undefined);
  if (missing === undefined) return;
  const hint = `Store it with \`drydock secret set NAME\`, and name it: \`--secret ${missing}=NAME\`. ${known[missing]?.description}`;
  throw new DrydockError("input.invalid", `A source of the type ${type} needs the secret ${missing}.`, hint, {
    field: missing,
  });
}

function unknownSetting(
  type: string,
  name: string,
  { names, secrets }: { names: readonly string[]; secrets: SourceType["secrets"] },
): DrydockError {
  const meant = findNearestWord(name, names);
  const hint = Object.hasOwn(secrets, name)
    ? `It is a secret: store it with \`drydock secret set NAME\`, and name it with \`--secret ${name}=NAME\`.`
    : `${meant === undefined ? "" : `Did you mean ${meant}? `}There are: ${names.join(", ") || "none"}.`;
  return new DrydockError("input.invalid", `A source of the type ${type} has no setting ${name}.`, hint, {
    field: name,
  });
}
