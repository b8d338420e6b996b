import { type ExtensionProblem, explainYamlError } from "@drydock/protocol";
import type * as z from "zod";
import type { Position } from "../../base/text/index.ts";
import { describeIssue } from "./describe-issue.ts";

export type Path = readonly PropertyKey[];

/** One YAML file of an extension: its value where it has the right shape, and where each field stands. */
export interface YamlFile<T> {
  value: T | null;
  problems: ExtensionProblem[];
  /** A problem of the field at this path. */
  complain(path: Path, message: string, severity?: ExtensionProblem["severity"]): ExtensionProblem;
}

/** Enough for hundreds of commands; the parser's time and memory grow with its input. */
export const MAX_YAML_BYTES = 256 * 1024;
const MAX_PROBLEMS = 5;

/** Reads text as if it stood in the file. It never throws for what the text holds. */
export async function readYaml<T extends z.ZodType>(
  file: string,
  text: string,
  schema: T,
): Promise<YamlFile<z.output<T>>> {
  // Most commands of an extension are read from the registry, which needs no YAML.
  const { findAlias, findOffset, openYaml, startOf } = await import("../../base/yaml/index.ts");
  const complainAt = (position: Position | undefined, field: string, message: string): ExtensionProblem => {
    return { file, line: position?.line || null, column: position?.column || null, field, message, severity: "error" };
  };
  const broken = (problems: ExtensionProblem[]): YamlFile<never> => ({
    value: null,
    problems,
    complain: (_path, message) => complainAt(undefined, "", message),
  });
  const opened = openYaml(text);
  if (!opened.ok) {
    const shown = opened.problems.slice(0, MAX_PROBLEMS);
    return broken(shown.map(({ position, message, hint }) => complainAt(position, "", `${message}. ${hint}`)));
  }
  const { document, positionAt } = opened;
  const complain: YamlFile<z.output<T>>["complain"] = (path, message, severity = "error") => {
    const offset = findOffset(document, path) ?? startOf(document?.contents);
    return { ...complainAt(offset === null ? undefined : positionAt(offset), formatPath(path), message), severity };
  };
  try {
    const alias = findAlias(document);
    // An alias can unfold into more than any machine holds, and a reader has to look elsewhere for what is meant.
    if (alias !== null)
      return broken([complainAt(positionAt(alias), "", "YAML aliases are not allowed here; write the value out")]);
    const parsed = schema.safeParse(document?.toJS() ?? {});
    if (parsed.success) return { value: parsed.data, problems: [], complain };
    const issues = parsed.error.issues.flatMap((issue) => describeIssue(issue, schema));
    return { value: null, problems: issues.map(({ path, message }) => complain(path, message)), complain };
  } catch {
    // A value that the parser can read may still be nested too deeply for recursive functions.
    const { message, hint } = explainYamlError({ code: "RESOURCE_EXHAUSTION", message: "" });
    return broken([complainAt(undefined, "", `${message}. ${hint}`)]);
  }
}

/** `commands[0].actions[1].name` */
export function formatPath(path: Path): string {
  return path
    .map((step, index) => (typeof step === "number" ? `[${step}]` : `${index === 0 ? "" : "."}${String(step)}`))
    .join("");
}
