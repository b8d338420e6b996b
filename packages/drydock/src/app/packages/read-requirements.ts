import { readFile } from "node:fs/promises";
import { DrydockError } from "@drydock/protocol";

const MAX_REQUIREMENTS = 500;
const MAX_FILE_CHARS = 256 * 1024;
const NAME = "[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?";
const VERSION = "(?:===|==|~=|!=|<=|>=|<|>)\\s*[A-Za-z0-9][A-Za-z0-9.*+!_-]*";
const REQUIREMENT = new RegExp(
  `^(${NAME})\\s*(\\[\\s*${NAME}(?:\\s*,\\s*${NAME})*\\s*\\])?\\s*((?:${VERSION})(?:\\s*,\\s*${VERSION})*)?` +
    "\\s*(;(?:(?!--)[^#@\\\\])*?)?((?:\\s+--hash=sha256:[0-9a-f]{64})*)$",
);

/**
 * What is to be installed, each requirement once and in one spelling: names, versions, markers and hashes of an index's
 * packages. Whatever else such a file can hold (options, addresses, paths) would install from elsewhere, and is refused.
 *
 * @param fileOrLines The lines, or the path of a requirements.txt.
 */
export async function readRequirements(fileOrLines: string | readonly string[]): Promise<string[]> {
  const text = typeof fileOrLines === "string" ? await readText(fileOrLines) : fileOrLines.join("\n");
  if (text.length > MAX_FILE_CHARS) throw invalid(`The requirements have over ${MAX_FILE_CHARS} characters.`);
  const lines = text
    .replace(/\\\r?\n/g, " ")
    .split(/\r?\n/)
    .map((line) => line.replace(/(^|\s)#.*$/, "").trim())
    .filter((line) => line !== "");
  const requirements = [...new Set(lines.map(normalise))].sort();
  if (requirements.length === 0) throw invalid("There are no requirements.");
  if (requirements.length > MAX_REQUIREMENTS) throw invalid(`There are more than ${MAX_REQUIREMENTS} requirements.`);
  return requirements;
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    throw invalid(`The requirements can't be read: ${(error as Error).message}`);
  }
}

function normalise(line: string): string {
  const [, name, extras = "", versions = "", marker = "", hashes = ""] = REQUIREMENT.exec(line) ?? [];
  if (name === undefined) {
    throw invalid(`${JSON.stringify(line.slice(0, 200))} is not a requirement that can be installed here.`);
  }
  const parts = (list: string) =>
    list
      .split(",")
      .map((part) => part.replace(/\s+/g, ""))
      .sort()
      .join(",");
  const wanted = `${normaliseName(name)}${extras && `[${parts(extras.slice(1, -1))}]`}${parts(versions)}`;
  const digests = hashes.trim() === "" ? "" : ` ${hashes.trim().split(/\s+/).sort().join(" ")}`;
  return `${wanted}${marker && ` ; ${marker.slice(1).trim().replace(/\s+/g, " ")}`}${digests}`;
}

/** The one spelling that an index knows a package by. */
export function normaliseName(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, "-");
}

function invalid(message: string): DrydockError {
  const hint =
    'Name packages of the index, one a line: "six==1.16.0", "pandas>=2,<3", with --hash=sha256:… if you like.';
  return new DrydockError("input.invalid", message, hint);
}
