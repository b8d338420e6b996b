import { CommandRoute, DrydockError, type ExtensionCommand, explainIssue } from "@drydock/protocol";
import { findNearestWord } from "../../base/text/index.ts";
import type { EnabledCommand } from "../install/types.ts";
import { findCommand, noSuchActionError, pickAction, pickDefaultAction } from "./find-action.ts";
import { gatherTexts, type ParameterText, readJsonText, readWords } from "./read-words.ts";
import { refuseDepth } from "./refuse-depth.ts";
import { atOffset, locateError, refuseAt, refuseInput, showText } from "./refuse-input.ts";
import { isTemplate } from "./response-templates.ts";
import { listParameters, type ParameterInput, type Route, settleValues } from "./settle-values.ts";
import { splitWords, type Word } from "./split-words.ts";

/**
 * Decides which action is meant, and with which values: one for each command of a pipeline. DrydockError
 * `extension.not_found` for an unknown command or action, `input.invalid` for whatever else does not fit.
 */
export function route(request: string | CommandRoute, commands: readonly EnabledCommand[]): Route[] {
  if (typeof request !== "string") return [routeData(request, commands)];
  try {
    return splitWords(request).map((words) => routeWords(words, commands));
  } catch (error) {
    throw locateError(request, error);
  }
}

function routeWords([first, ...words]: readonly Word[], commands: readonly EnabledCommand[]): Route {
  const hint = "As in: /curl get https://example.org";
  if (!first || first.text === "") throw refuseInput("There is no command.", hint);
  if (!/^\/./.test(first.text)) {
    throw refuseAt(first.start, `A command begins with /, and ${showText(first.text)} does not.`, hint);
  }
  const found = atOffset(first.start, () => findCommand(first.text.slice(1), commands));
  const [next] = words;
  const named = next && pickAction(next.text, found.command);
  const action = named ?? pickDefaultAction(found.command);
  const isArgument = next !== undefined && !next.text.startsWith("-");
  if (!action || (!named && isArgument && action.arguments.length === 0)) {
    return atOffset((next ?? first).start, () => {
      throw noSuchActionError(isArgument ? next.text : undefined, found.command);
    });
  }
  try {
    const texts = gatherTexts(readWords(action, named ? words.slice(1) : words));
    const inputs = new Map([...texts].map(([name, each]) => [name, toParameterInput(each)]));
    return settleValues({ ...found, action }, inputs);
  } catch (error) {
    throw named || !next ? error : suggestAction(error, next.text, found.command);
  }
}

function toParameterInput(texts: readonly ParameterText[]): ParameterInput {
  const values = texts.map((text) => atOffset(text.word.start, () => readText(text)));
  const [first] = texts;
  return {
    value: first?.parameter.repeat ? values : values[0],
    at: (act) => atOffset(first?.word.start ?? 0, act),
  };
}

function readText({ parameter, value }: ParameterText): unknown {
  if (parameter.type !== "json" || typeof value !== "string" || isTemplate(value)) return value;
  return readJsonText(parameter, value);
}

/** A misspelt action is taken for an argument of the default one; the error says so. */
function suggestAction(error: unknown, word: string, { name, actions }: ExtensionCommand): unknown {
  const near = findNearestWord(
    word,
    actions.map((action) => action.name),
  );
  if (!(error instanceof DrydockError) || near === undefined) return error;
  return new DrydockError(error.code, error.message, `Did you mean /${name} ${near}? ${error.hint}`, error.data, error);
}

function routeData(request: CommandRoute, commands: readonly EnabledCommand[]): Route {
  refuseDepth("The route", request);
  const parsed = CommandRoute.safeParse(request);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const where = issue?.path.join(".") || "The route";
    const hint = 'As in { command: "curl", action: "get", values: { url: "https://example.org" } }';
    throw refuseInput(`${where} ${issue ? explainIssue(issue) : "can't be read"}.`, hint);
  }
  const { command: commandName, action: actionName, values } = parsed.data;
  const found = findCommand(commandName.replace(/^\//, ""), commands);
  const action = actionName === undefined ? pickDefaultAction(found.command) : pickAction(actionName, found.command);
  if (!action) throw noSuchActionError(actionName, found.command);
  const names = listParameters(action).map(({ name }) => name);
  // Of what was handed in: reading it drops names that mean something to objects.
  for (const name of Object.keys(request.values ?? {})) {
    if (!names.includes(name)) throw unknownValue(`/${found.command.name} ${action.name}`, name, names);
  }
  const settled = Object.entries(values).map(([name, value]): [string, ParameterInput] => [
    name,
    { value, at: (act) => act() },
  ]);
  return settleValues({ ...found, action }, new Map(settled));
}

function unknownValue(action: string, name: string, names: readonly string[]): DrydockError {
  const near = findNearestWord(name, names);
  const there = names.length === 0 ? "It takes none." : `It takes ${names.join(", ")}.`;
  const hint = near === undefined ? there : `Did you mean ${near}? ${there}`;
  return refuseInput(`${action} has no value ${showText(name)}.`, hint, { parameter: showText(name) });
}
