import { isNode, parseScript, type SyntaxNode, walkNodes } from "../../source/parse-script.ts";
import { isTestFile } from "../../verify/implied/test-files.ts";
import type { JudgedTree } from "../../verify/judged-tree.ts";
import type { FunctionCall } from "../workshop.ts";

const MAX_CALLS = 60;
const MAX_VARIED = 160;
const MAX_CHARS = 400;

/** Calls in the tests of functions that the source exports, with plain values as arguments. */
export async function findScriptCalls(tree: JudgedTree, files: readonly string[]): Promise<FunctionCall[]> {
  const exported = new Map<string, number>();
  for (const [file, path] of files.slice(0, 100).entries()) {
    const text = (await tree.read(path))?.toString() ?? "";
    for (const [, name = ""] of text.matchAll(/export\s+(?:async\s+)?(?:function\*?|const|let)\s+([\w$]+)/g))
      exported.set(name, file);
    for (const [, list = ""] of text.matchAll(/(?:module\.exports\s*=|export)\s*\{([^{}]*)\}/g)) {
      for (const name of list.split(",")) exported.set(name.trim().split(/\s|:/)[0] ?? "", file);
    }
    for (const [, name = ""] of text.matchAll(/(?:module\.)?exports\.([\w$]+)\s*=/g)) exported.set(name, file);
  }
  const calls: FunctionCall[] = [];
  for (const path of tree.paths().filter(isTestFile)) {
    const root = parseScript(path, (await tree.read(path))?.toString() ?? "");
    for (const { node } of root ? walkNodes(root) : []) {
      const call = readCall(node, exported);
      if (call && calls.length < MAX_CALLS && !calls.some((known) => isSame(known, call))) calls.push(call);
    }
  }
  return calls;
}

function isSame(one: FunctionCall, other: FunctionCall): boolean {
  return one.name === other.name && one.args === other.args;
}

function readCall(node: SyntaxNode, exported: ReadonlyMap<string, number>): FunctionCall | null {
  if (node.type !== "CallExpression" || !isNode(node.callee) || !Array.isArray(node.arguments)) return null;
  const { callee } = node;
  const name = String(callee.type === "Identifier" ? callee.name : isNode(callee.property) ? callee.property.name : "");
  const file = exported.get(name);
  if (file === undefined || node.arguments.length === 0) return null;
  const values = node.arguments.map((each) => (isNode(each) ? readValue(each) : undefined));
  if (values.includes(undefined)) return null;
  const args = JSON.stringify(values);
  // Of a long list, each variation would be another one as long.
  return args.length < MAX_CHARS ? { file, name, args } : null;
}

/** The value of a literal; undefined for anything else. */
function readValue(node: SyntaxNode): unknown {
  switch (node.type) {
    case "NumericLiteral":
    case "StringLiteral":
    case "BooleanLiteral":
      return node.value;
    case "NullLiteral":
      return null;
    case "UnaryExpression":
      return node.operator === "-" && isNode(node.argument) && node.argument.type === "NumericLiteral"
        ? -Number(node.argument.value)
        : undefined;
    case "ArrayExpression": {
      const items = Array.isArray(node.elements)
        ? node.elements.map((each) => (isNode(each) ? readValue(each) : undefined))
        : [];
      return items.includes(undefined) ? undefined : items;
    }
    case "ObjectExpression":
      return readObject(node);
    default:
      return undefined;
  }
}

function readObject(node: SyntaxNode): unknown {
  const found: [string, unknown][] = [];
  for (const property of Array.isArray(node.properties) ? node.properties : []) {
    if (!isNode(property) || property.type !== "ObjectProperty" || !isNode(property.key) || !isNode(property.value))
      return undefined;
    const value = readValue(property.value);
    if (value === undefined || property.computed === true) return undefined;
    found.push([String(property.key.name ?? property.key.value), value]);
  }
  return Object.fromEntries(found);
}

/** More calls: each argument a little different, others as they are. */
export function varyScriptCalls(calls: readonly FunctionCall[], seed: number): FunctionCall[] {
  const varied = calls.flatMap((call) => {
    const args: unknown[] = JSON.parse(call.args);
    return args.flatMap((value, at) =>
      vary(value, 0).map((other) => ({ ...call, args: JSON.stringify(args.with(at, other)) })),
    );
  });
  // Every so many of them, beginning somewhere: each call gets its share.
  const step = Math.max(1, Math.floor(varied.length / MAX_VARIED));
  const chosen = varied.filter((_, index) => index % step === seed % step);
  const every = [...calls, ...chosen].filter(({ args }) => args.length < MAX_CHARS);
  return every.filter((call, index) => every.findIndex((other) => isSame(call, other)) === index);
}

function vary(value: unknown, depth: number): unknown[] {
  if (typeof value === "boolean") return [!value];
  if (typeof value === "number") return [value + 1, value - 1, 0, 1, -value, value * 2, value + 0.5];
  if (typeof value === "string") {
    return [
      "",
      value + value,
      [...value].reverse().join(""),
      value.slice(1),
      value.slice(0, -1),
      ` ${value}`,
      value.toUpperCase(),
    ];
  }
  if (Array.isArray(value)) {
    const inner =
      depth < 2
        ? value.flatMap((each, at) =>
            vary(each, depth + 1)
              .slice(0, 3)
              .map((other) => value.with(at, other)),
          )
        : [];
    return [
      [],
      value.toReversed(),
      value.slice(1),
      value.slice(0, -1),
      [...value, ...value],
      value.slice(0, 1),
      ...inner.slice(0, 8),
    ];
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) =>
    vary(each, depth + 1)
      .slice(0, 2)
      .map((other) => ({ ...value, [key]: other })),
  );
}
