import { createRedactor, type Redactor } from "../../ledger/index.ts";
import { pickEnvironment } from "../../policy/index.ts";
import type { Config } from "../config.ts";
import type { Policies } from "../policies/index.ts";

/** For what is recorded. Variables that runs may see are not secret; the values of all others are redacted. */
export async function openRedactor(config: Config, policies: Policies): Promise<Redactor> {
  let allow: string[] = [];
  try {
    allow = (await policies.resolve({})).ceiling.environment.allow;
  } catch {
    // A policy that can't be read lets nothing through. The runs will say what is wrong with it.
  }
  const { environment, databaseSecrets } = config;
  const allowedNames = (name: string) =>
    !(name in databaseSecrets) && Object.keys(pickEnvironment(allow, { [name]: "x" })).length > 0;
  return createRedactor({ environment: { ...environment, ...databaseSecrets }, allowedNames, patterns: config.redact });
}

/** For what a person typed and Drydock keeps: the value of every variable is redacted. */
export function redactTyped({ environment, databaseSecrets, redact }: Config): (text: string) => string {
  return createRedactor({
    environment: { ...environment, ...databaseSecrets },
    allowedNames: () => false,
    patterns: redact,
  }).text;
}
