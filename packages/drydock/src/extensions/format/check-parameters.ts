import type { CommandAction, CommandArgument, CommandFlag } from "@drydock/protocol";
import { parseJson } from "../../base/text/index.ts";
import { findNames } from "./find-names.ts";
import type { Path } from "./read-yaml.ts";

type Complain = (path: Path, message: string, severity?: "warning") => void;

/** `input` is the response that is piped in, `value` each value of one that repeats. */
const RESERVED_NAMES = ["input", "value", "last", "history"];

/** Arguments and flags of one action: each by itself, and together. */
export function checkParameters(action: CommandAction, complain: Complain): void {
  const names = new Map<string, string>();
  const shorts = new Map<string, string>();
  const claim = (name: string, what: string, path: Path) => {
    const other = names.get(name);
    if (other) complain(path, `${name} is the name of ${other} already`);
    names.set(name, other ?? what);
  };
  let optional: string | null = null;
  action.arguments.forEach((argument, index) => {
    const path = ["arguments", index];
    claim(argument.name, `arguments[${index}]`, [...path, "name"]);
    if (argument.required && optional !== null)
      complain([...path, "required"], `can't be required: ${optional}, before it, is optional`);
    if (!argument.required) optional ??= argument.name;
    if (argument.repeat && index < action.arguments.length - 1)
      complain([...path, "repeat"], "takes all that is left, so only the last argument can repeat");
    checkParameter(argument, path, complain);
  });
  action.flags.forEach((flag, index) => {
    const path = ["flags", index];
    claim(flag.name, `flags[${index}]`, [...path, "name"]);
    if (flag.type === "boolean") claim(`no-${flag.name}`, `flags[${index}], turned off`, [...path, "name"]);
    if (flag.name === "help") complain([...path, "name"], "--help shows the help of the action; use another name");
    if (flag.short !== undefined) {
      const other = shorts.get(flag.short);
      if (other) complain([...path, "short"], `-${flag.short} stands for --${other} already`);
      if (flag.short === "h") complain([...path, "short"], "-h shows the help of the action; use another letter");
      shorts.set(flag.short, flag.name);
    }
    checkParameter(flag, path, complain);
  });
}

function checkParameter(parameter: CommandArgument | CommandFlag, path: Path, complain: Complain): void {
  const { name, type, required, choices, repeat, min, max, dash } = parameter;
  const at = (field: string, message: string, severity?: "warning") => complain([...path, field], message, severity);
  if (RESERVED_NAMES.includes(name)) at("name", `${name} has a meaning of its own in templates; use another name`);
  if (required && parameter.default !== undefined) at("default", "is never used where a value is required");
  if (type === "boolean" && repeat) at("repeat", "a boolean is given once");
  if (choices && !["string", "integer", "number"].includes(type)) at("choices", `has no meaning for the type ${type}`);
  if (min !== undefined && max !== undefined && min > max) at("min", "is more than max");
  if ((min !== undefined || max !== undefined) && ["boolean", "json"].includes(type))
    at(min === undefined ? "max" : "min", `has no meaning for the type ${type}`);
  if (dash && !["string", "json"].includes(type)) at("dash", `has no meaning for the type ${type}`);
  if (parameter.default === undefined) return;
  const problem = describeDefaultProblem(parameter, parameter.default);
  if (problem) at("default", problem);
}

function describeDefaultProblem(parameter: CommandArgument, value: string | number | boolean): string | null {
  const { type, choices, min, max, dash } = parameter;
  const wanted = type === "boolean" ? "boolean" : type === "integer" || type === "number" ? "number" : "string";
  if (typeof value !== wanted) return `is a ${typeof value}, and the type is ${type}`;
  if (type === "integer" && !Number.isSafeInteger(value)) return "is not a whole number";
  if (choices && !choices.includes(String(value))) return `is none of the choices: ${choices.join(", ")}`;
  const measure = typeof value === "string" ? value.length : Number(value);
  if (type !== "boolean" && ((min !== undefined && measure < min) || (max !== undefined && measure > max)))
    return `lies outside of ${min ?? "…"} to ${max ?? "…"}`;
  if (typeof value !== "string") return null;
  if (findNames(value).length > 0) return "can't hold {{ }}";
  if (value.startsWith("-") && !dash) return "begins with a dash; say `dash: true` if the tool takes it as text";
  if (type === "path" && (value.startsWith("/") || value.split("/").includes(".."))) return "must be a relative path";
  if (type === "url" && !/^https?:$/.test(URL.parse(value)?.protocol ?? "")) return "is not an http(s) address";
  if (type === "json" && parseJson(value) === undefined) return "is not valid JSON";
  return null;
}
