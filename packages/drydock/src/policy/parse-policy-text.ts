import { isAlias, isMap, isScalar, isSeq } from "yaml";
import { fileProblemError, invalidFileError, type Position } from "../base/text/index.ts";
import { openYaml, startOf } from "../base/yaml/index.ts";
import { checkPolicy } from "./find-problems.ts";
import type { PolicySource } from "./load-policy-file.ts";

const CODE = "policy.invalid";
const START: Position = { line: 1, column: 1 };

/** Reads policy text as if it stood in the file. */
export function parsePolicyText(file: string, text: string): PolicySource {
  const opened = openYaml(text);
  if (!opened.ok) {
    const problems = opened.problems.map((problem) => ({ ...problem, position: problem.position ?? START }));
    throw invalidFileError(CODE, file, problems.slice(0, 1));
  }
  const { document, positionAt } = opened;
  const keys: Record<string, Position> = Object.create(null);
  const values: Record<string, Position> = Object.create(null);
  const place = (node: unknown): Position | undefined => {
    const offset = startOf(node);
    return offset === null ? undefined : positionAt(offset);
  };
  const walk = (node: unknown, path: string[]) => {
    const name = path.join(".");
    const position = place(node);
    if (position) values[name] ??= position;
    if (isAlias(node)) {
      const [message, hint] = ["aliases are not allowed in a policy", "Write the value out."];
      throw fileProblemError(CODE, file, { position, key: name, message, hint });
    }
    if (isMap(node)) {
      for (const pair of node.items) {
        const keyPosition = place(pair.key) ?? position;
        if (!isScalar(pair.key) || typeof pair.key.value !== "string") {
          const [message, hint] = ["a key must be plain text", "Write keys as plain words."];
          throw fileProblemError(CODE, file, { position: keyPosition, key: name, message, hint });
        }
        const child = [...path, pair.key.value];
        if (keyPosition) keys[child.join(".")] ??= keyPosition;
        walk(pair.value, child);
      }
    } else if (isSeq(node)) {
      node.items.forEach((item, index) => {
        const child = [...path, String(index)];
        const itemPosition = place(item);
        if (itemPosition) keys[child.join(".")] ??= itemPosition;
        walk(item, child);
      });
    }
  };
  walk(document?.contents, []);
  const checked = checkPolicy(document?.toJS() ?? {});
  if (checked.ok) return { file, document: checked.document, positions: { ...keys } };
  const problems = checked.problems.map(({ path, atKey, message, hint }) => {
    const key = path.map(String).join(".");
    return { position: atKey ? (keys[key] ?? values[key]) : (values[key] ?? keys[key]), key, message, hint };
  });
  throw invalidFileError(CODE, file, problems);
}
