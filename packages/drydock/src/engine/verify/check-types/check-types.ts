import type { Check, CheckType } from "@drydock/protocol";
import type { CheckDescriptor, DescriptorOf } from "./check-descriptor.ts";
import { commandCheck, commandContainsCheck } from "./command-checks.ts";
import { fileAbsentCheck, fileContainsCheck, fileExistsCheck, fileMatchesCheck } from "./file-checks.ts";
import { httpCheck } from "./http-check.ts";
import { pythonCheck } from "./python-check.ts";
import { jsonSchemaCheck } from "./schema-check.ts";
import { unchangedCheck } from "./unchanged-check.ts";

/** In the order in which the planner reads them. */
const CHECK_TYPES: { readonly [Type in CheckType]: DescriptorOf<Type> } = {
  file_exists: fileExistsCheck,
  file_absent: fileAbsentCheck,
  file_contains: fileContainsCheck,
  file_matches: fileMatchesCheck,
  unchanged: unchangedCheck,
  command: commandCheck,
  command_contains: commandContainsCheck,
  json_schema: jsonSchemaCheck,
  http_check: httpCheck,
  python: pythonCheck,
};

export function describeCheckType({ type }: Pick<Check, "type">): CheckDescriptor {
  return CHECK_TYPES[type];
}

type WithTimeout<Each> = Each extends unknown ? ("timeout" extends keyof Each ? Each : never) : never;

/** What runs something has a timeout. */
export function isRunning(check: Check): check is WithTimeout<Check> {
  return describeCheckType(check).runs;
}

/** Undefined for types that this version does not know: records may be of another version. */
export function findCheckType(type: string): CheckDescriptor | undefined {
  return Object.hasOwn(CHECK_TYPES, type) ? CHECK_TYPES[type as CheckType] : undefined;
}

/** All types as the planner reads them. */
export function listCheckPrompts(): string[] {
  return Object.values(CHECK_TYPES).map(({ prompt }) => prompt);
}
