import type { CodeLanguage } from "../../../tasks/index.ts";

/** Code that gives a variable of the session a JSON value. */
export function writeLiteral(language: CodeLanguage, variable: string, value: unknown): string {
  const json = JSON.stringify(value) ?? "null";
  return language === "node" ? `var ${variable} = ${json}` : `${variable} = ${toPython(JSON.parse(json))}`;
}

/** JSON's strings and numbers are Python's as well. */
function toPython(value: unknown): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map(toPython).join(", ")}]`;
  if (typeof value === "object") {
    return `{${Object.entries(value)
      .map(([name, item]) => `${JSON.stringify(name)}: ${toPython(item)}`)
      .join(", ")}}`;
  }
  return JSON.stringify(value);
}
