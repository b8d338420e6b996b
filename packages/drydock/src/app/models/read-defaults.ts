import { resolve } from "node:path";
import { DrydockError } from "@drydock/protocol";
import { readHomeConfig } from "./config-models.ts";
import type { EnvironmentVariables } from "./read-providers.ts";

/** What holds for goals and tasks where a request says nothing. */
export interface OwnerDefaults {
  staleSeconds: number;
  staleAutoReset: boolean;
  /** The directory that tasks see, and where it is named; null: an empty one each. */
  workspace: { path: string; source: string } | null;
}

const STALE_SECONDS = 3600;

/** A variable of the environment wins over `config.yaml` in Drydock's home. */
export async function readDefaults(home: string, environment: EnvironmentVariables): Promise<OwnerDefaults> {
  const { goals = {}, tasks = {} } = await readHomeConfig(home);
  return {
    staleSeconds: readSeconds(environment, "DRYDOCK_STALE_SECONDS") ?? goals.staleSeconds ?? STALE_SECONDS,
    staleAutoReset: readSwitch(environment, "DRYDOCK_STALE_AUTO_RESET") ?? goals.staleAutoReset ?? false,
    workspace: readWorkspace(environment, "DRYDOCK_TASK_WORKSPACE", home, tasks.workspace),
  };
}

function readSeconds(environment: EnvironmentVariables, name: string): number | undefined {
  const text = environment[name]?.trim();
  if (!text) return undefined;
  const seconds = Number(text);
  if (Number.isFinite(seconds) && seconds >= 0) return seconds;
  throw invalidVariable(name, text, "Give seconds, such as 3600, or 0 for never.");
}

function readSwitch(environment: EnvironmentVariables, name: string): boolean | undefined {
  const text = environment[name]?.trim();
  if (!text) return undefined;
  if (["1", "true", "yes", "on"].includes(text.toLowerCase())) return true;
  if (["0", "false", "no", "off"].includes(text.toLowerCase())) return false;
  throw invalidVariable(name, text, "Give true or false.");
}

/** A path of the file is relative to the home, one of the variable to the current directory. */
function readWorkspace(
  environment: EnvironmentVariables,
  name: string,
  home: string,
  configured: string | undefined,
): OwnerDefaults["workspace"] {
  const own = environment[name]?.trim();
  if (own) return { path: resolve(own), source: name };
  if (configured === undefined) return null;
  return { path: resolve(home, configured), source: `tasks.workspace in ${resolve(home, "config.yaml")}` };
}

function invalidVariable(name: string, text: string, hint: string): DrydockError {
  return new DrydockError("input.invalid", `The variable ${name} can't be ${JSON.stringify(text)}.`, hint, { name });
}
