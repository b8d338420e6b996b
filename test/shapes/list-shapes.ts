import { type ObjectExpression, parseSync, type Span, Visitor } from "oxc-parser";
import type { SourceFile } from "../boundaries/find-violations.ts";

/** An interface, a type literal, or an object of a zod schema. */
export interface Shape {
  /** The file, and the names around it: `packages/a/src/b.ts Outer.inner`. */
  place: string;
  kind: "declared" | "schema";
  /** Names of its members, in order of the alphabet. */
  names: string;
  /** The same with their types. Of a schema it is empty: what its members come to is not in the text. */
  members: string;
}

const SCHEMA = /^(?:z\.(?:object|strictObject|looseObject)|\w+\.extend)$/;

/** Every shape of a file that has at least so many members. Methods count like properties. */
export function listShapes({ path, text }: SourceFile, least: number): Shape[] {
  const { program, comments } = parseSync(path, text);
  const code = comments.reduce((all, { start, end }) => blank(all, start, end), text);
  const read = ({ start, end }: Span) => code.slice(start, end);
  const found: Shape[] = [];
  const around: { name: string; end: number }[] = [];
  const leave = (at: number) => {
    while (around.length > 0 && (around.at(-1)?.end ?? at) <= at) around.pop();
  };
  const enter = (node: Span, name: string) => {
    leave(node.start);
    around.push({ name, end: node.end });
  };
  const add = (node: Span, kind: Shape["kind"], names: readonly string[], members: readonly string[]) => {
    if (names.length < least) return;
    leave(node.start);
    const place = [path, around.map(({ name }) => name).join(".")].join(" ").trim();
    found.push({ place, kind, names: names.toSorted().join(" "), members: members.toSorted().join("; ") });
  };
  const addDeclared = (node: Span, own: readonly Span[]) => {
    const members = own.map((member) => normalize(read(member)));
    add(
      node,
      "declared",
      members.map((member) => /^[^?:(<]+/.exec(member)?.[0] ?? member),
      members,
    );
  };
  new Visitor({
    TSInterfaceDeclaration: (node) => enter(node, node.id.name),
    TSTypeAliasDeclaration: (node) => enter(node, node.id.name),
    TSPropertySignature: (node) => enter(node, read(node.key)),
    FunctionDeclaration: (node) => enter(node, node.id?.name ?? ""),
    VariableDeclarator: (node) => enter(node, read(node.id)),
    Property: (node) => enter(node, read(node.key)),
    TSInterfaceBody: (node) => addDeclared(node, node.body),
    TSTypeLiteral: (node) => addDeclared(node, node.members),
    CallExpression: (node) => {
      const [fields] = node.arguments;
      const isSchema = fields?.type === "ObjectExpression" && SCHEMA.test(read(node.callee).replaceAll(/\s/g, ""));
      const names = isSchema ? listKeys(fields, read) : null;
      if (names) add(node, "schema", names, []);
    },
  }).visit(program);
  return found;
}

/** Null where something is spread into it, whose names are elsewhere. */
function listKeys({ properties }: ObjectExpression, read: (node: Span) => string): string[] | null {
  const names = properties.map((property) => (property.type === "Property" ? read(property.key) : null));
  return names.every((name) => name !== null) ? names : null;
}

/** A member as text that does not depend on how it was laid out, nor on `readonly`. */
function normalize(member: string): string {
  return member
    .replace(/^readonly\s+/, "")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ ?([{}()[\]<>,;:|&=?]) ?/g, "$1")
    .replaceAll(/[;,](?=[}\])]|$)/g, "")
    .replaceAll(/([(:<,=])\|/g, "$1")
    .replace(/^([\w$]+\?:.*)\|undefined$/, "$1");
}

function blank(text: string, start: number, end: number): string {
  return text.slice(0, start) + " ".repeat(end - start) + text.slice(end);
}
