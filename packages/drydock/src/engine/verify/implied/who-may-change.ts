import { createScopeNames } from "./scope-names.ts";
import { isStartupFile, isTestConfiguration } from "./test-files.ts";

/** Whose word there is on what the judged work may change. */
export interface ChangeGrants {
  /** What the task may write. */
  scope: readonly string[];
  /** Whether a person wrote or approved the plan that the scope is from. */
  planIsUsers: boolean;
  /** Globs by which the user lets tests and their inputs be changed. */
  mayChange: readonly string[];
}

/**
 * Whether the path may be changed: somebody who can allow it names it. `judges`: it decides over others (a test, its
 * data, its settings); `script`: it does, and is a program that the check's command runs, which a person may name by its directory.
 */
export type MayChange = (path: string, judges: boolean | "script") => boolean;

/**
 * What a model wrote into a plan names no test: else it could allow itself to edit its own exam. Settings and what runs
 * before all tests are named by their exact path only, by whomever.
 */
export function createMayChange({ scope, planIsUsers, mayChange }: ChangeGrants): MayChange {
  const users = planIsUsers ? [...mayChange, ...scope] : [...mayChange];
  const exact = new Set(users.map((glob) => glob.replace(/^(\.\/)+/, "")));
  const namedByUser = createScopeNames(users);
  const namedByPlan = createScopeNames(scope);
  return (path, judges) => {
    if (isTestConfiguration(path) || isStartupFile(path)) return exact.has(path);
    return namedByUser(path, judges === true) || (judges === false && namedByPlan(path, false));
  };
}
