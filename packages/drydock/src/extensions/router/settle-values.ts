import type { CommandAction, ParameterValue } from "@drydock/protocol";
import { looksLikeOptionError } from "../errors.ts";
import { checkValue, type Parameter } from "./check-value.ts";
import { mayStartWithDash } from "./dash-rule.ts";
import { type Values, writeValue } from "./fill-text.ts";
import type { ResolvedAction } from "./find-action.ts";
import { describeUsage } from "./help-text.ts";
import { refuseInput } from "./refuse-input.ts";
import { type FilledResponse, fillValue, hasTemplate, listResponses, toText } from "./response-templates.ts";

/** One action, decided. */
export interface Route extends ResolvedAction {
  /** Checked, with their types and defaults. */
  values: Values;
  /** Raw values that refer to responses: checked once they are filled. */
  pending: Readonly<Record<string, unknown>>;
}

/** A raw parameter value, and its position for error messages. */
export interface ParameterInput {
  value: unknown;
  at<T>(act: () => T): T;
}

/** Gives each parameter its value: the one from the request, the default, or none. */
export function settleValues(target: ResolvedAction, inputs: ReadonlyMap<string, ParameterInput>): Route {
  const { action, command } = target;
  const values: Record<string, ParameterValue> = {};
  const pending: Record<string, unknown> = {};
  for (const parameter of listParameters(action)) {
    const { name, required, default: usual } = parameter;
    const { value, at } = inputs.get(name) ?? { value: usual, at: (act) => act() };
    if (value === undefined) {
      if (!required) continue;
      const hint = `Usage: ${describeUsage(command, action)}`;
      throw refuseInput(`/${command.name} ${action.name} needs ${name}.`, hint, { parameter: name });
    }
    at(() => {
      if (listResponses(value).size > 0) pending[name] = value;
      else values[name] = fillParameter(action, parameter, value, []);
    });
  }
  return { ...target, values, pending };
}

export function listParameters(action: CommandAction): Parameter[] {
  return [...action.arguments, ...action.flags];
}

/** How many responses, from the last one backwards, the values speak of. */
export function countResponsesNeeded(route: Pick<Route, "pending">): number {
  return Math.max(0, ...[...listResponsesNeeded(route)].map((index) => index + 1));
}

/** Which of them, 0 being the last one. */
export function listResponsesNeeded({ pending }: Pick<Route, "pending">): ReadonlySet<number> {
  return listResponses(pending);
}

/** All values; those that refer to responses are filled and checked. Responses are sorted newest first. */
export function fillTemplates({ action, values, pending }: Route, responses: readonly FilledResponse[]): Values {
  const filled = listParameters(action)
    .filter(({ name }) => Object.hasOwn(pending, name))
    .map((parameter) => [parameter.name, fillParameter(action, parameter, pending[parameter.name], responses)]);
  return { ...values, ...Object.fromEntries(filled) };
}

function fillParameter(
  action: CommandAction,
  parameter: Parameter,
  value: unknown,
  responses: readonly FilledResponse[],
): ParameterValue {
  const read = (item: unknown) => checkOne(action, parameter, fillItem(parameter, item, responses));
  if (parameter.repeat) return (Array.isArray(value) ? value : [value]).map(read);
  return read(value);
}

function fillItem({ type }: Parameter, value: unknown, responses: readonly FilledResponse[]): unknown {
  if (!hasTemplate(value)) return value;
  const filled = fillValue(value, responses);
  const isText = type === "string" || type === "path" || type === "url";
  return isText && typeof value === "string" && filled !== null ? toText(filled) : filled;
}

function checkOne(action: CommandAction, parameter: Parameter, raw: unknown): ParameterValue {
  const value = checkValue(parameter, raw);
  const text = writeValue(value);
  if (text.startsWith("-") && !mayStartWithDash(action, parameter.name))
    throw looksLikeOptionError(parameter.name, text);
  return value;
}
