import { PolicyDocument } from "@drydock/protocol";
import { parseSync, type Span, Visitor } from "oxc-parser";

export interface Import {
  specifier: string;
  line: number;
}

export interface SourceFacts {
  imports: Import[];
  /** Lines that reach for the environment of this process. */
  environmentLines: number[];
  /** Lines that load a module by a way whose target can't be told from the source. */
  hiddenLoadLines: number[];
  /** Lines that make a policy of another one with a section of it changed. */
  policyChangeLines: number[];
  /** Lines of loops that ask a model and read the tool calls of its answer. */
  agentLoopLines: number[];
}

const POLICY_NAME = /polic|effective|ceiling/i;
const POLICY_SECTIONS = new Set(Object.keys(PolicyDocument.shape).filter((key) => key !== "version"));
const CHANGES_LIST = /^(push|pop|shift|unshift|splice|sort|reverse|fill)$/;
/** A callee such as `askModel`, `loop.ask`, `model.answer`. */
const ASKS_MODEL = /\bask|model/i;
const TOOL_CALLS = /^tool_?calls$/i;

/** Reads what the rules need from the syntax tree, so that neither comments nor strings count, and type imports do. */
export function readSource(path: string, text: string): SourceFacts {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path} can't be parsed: ${errors[0]?.message}`);
  const facts: SourceFacts = {
    imports: [],
    environmentLines: [],
    hiddenLoadLines: [],
    policyChangeLines: [],
    agentLoopLines: [],
  };
  const loops: Span[] = [];
  const questions: Span[] = [];
  const toolCalls: Span[] = [];
  const addLoop = (node: Span) => loops.push(node);
  const lineAt = (offset: number) => text.slice(0, offset).split("\n").length;
  const add = (source: { value: unknown; start: number } | null) => {
    if (source !== null) facts.imports.push({ specifier: String(source.value), line: lineAt(source.start) });
  };

  new Visitor({
    ImportDeclaration: (node) => {
      add(node.source);
      const name = node.source.value;
      const takesEnv = node.specifiers.some(
        (item) =>
          item.type === "ImportSpecifier" && item.imported.type === "Identifier" && item.imported.name === "env",
      );
      if ((name === "node:process" || name === "process") && takesEnv) facts.environmentLines.push(lineAt(node.start));
    },
    ExportNamedDeclaration: (node) => add(node.source),
    ExportAllDeclaration: (node) => add(node.source),
    TSImportType: (node) => add(node.source),
    ImportExpression: (node) => {
      if (node.source.type === "Literal") add(node.source);
      else facts.hiddenLoadLines.push(lineAt(node.start));
    },
    AssignmentExpression: ({ left, start }) => {
      if (isPartOfPolicy(left)) facts.policyChangeLines.push(lineAt(start));
    },
    CallExpression: ({ callee, arguments: args, start, end }) => {
      const isAssign = text.slice(callee.start, callee.end) === "Object.assign";
      const isChange = CHANGES_LIST.test(memberName(callee) ?? "") && isPartOfPolicy(callee);
      if (isChange || (isAssign && args.some(namesPolicy))) facts.policyChangeLines.push(lineAt(start));
      if (ASKS_MODEL.test(text.slice(callee.start, callee.end))) questions.push({ start, end });
      const called = callee.type === "Identifier" ? callee.name : memberName(callee);
      if (called === "require" || called === "getBuiltinModule") facts.hiddenLoadLines.push(lineAt(start));
    },
    ObjectExpression: ({ properties, start }) => {
      const spreads = properties.some((each) => each.type === "SpreadElement" && namesPolicy(each.argument));
      const changes = properties.some(
        (each) => each.type === "Property" && each.key.type === "Identifier" && POLICY_SECTIONS.has(each.key.name),
      );
      if (spreads && changes) facts.policyChangeLines.push(lineAt(start));
    },
    MemberExpression: (node) => {
      if (memberName(node) === "env" && isProcess(node.object)) facts.environmentLines.push(lineAt(node.start));
    },
    VariableDeclarator: ({ id, init, start }) => {
      if (id.type !== "ObjectPattern" || init === null || !isProcess(init)) return;
      const takesEnv = id.properties.some(
        (property) =>
          property.type === "RestElement" || (property.key.type === "Identifier" && property.key.name === "env"),
      );
      if (takesEnv) facts.environmentLines.push(lineAt(start));
    },
    Identifier: (node) => {
      if (TOOL_CALLS.test(node.name)) toolCalls.push(node);
    },
    ForStatement: addLoop,
    ForOfStatement: addLoop,
    WhileStatement: addLoop,
    DoWhileStatement: addLoop,
  }).visit(program);
  const isAgentLoop = (loop: Span) => [questions, toolCalls].every((spans) => spans.some((span) => holds(loop, span)));
  facts.agentLoopLines.push(...loops.filter(isAgentLoop).map(({ start }) => lineAt(start)));
  return facts;
}

function holds(outer: Span, inner: Span): boolean {
  return outer.start <= inner.start && inner.end <= outer.end;
}

/** `policy`, `stepPolicy`, `resolved.effective`, `policy ?? {}`, `narrow(policy)`. */
function namesPolicy(node: SyntaxNode): boolean {
  if (node.type === "Identifier") return POLICY_NAME.test((node as unknown as { name: string }).name);
  if (node.type === "ParenthesizedExpression")
    return namesPolicy((node as unknown as { expression: SyntaxNode }).expression);
  if (node.type === "LogicalExpression") return namesPolicy((node as unknown as { left: SyntaxNode }).left);
  if (node.type === "CallExpression") return namesPolicy((node as unknown as { callee: SyntaxNode }).callee);
  return POLICY_NAME.test(memberName(node) ?? "");
}

/** A section of a policy, or something in it: `policy.network`, `policy.network.allow`. */
function isPartOfPolicy(node: SyntaxNode): boolean {
  const name = memberName(node);
  if (name === undefined) return false;
  const { object } = node as unknown as { object: SyntaxNode };
  return (POLICY_SECTIONS.has(name) && namesPolicy(object)) || isPartOfPolicy(object);
}

interface SyntaxNode {
  type: string;
}

function memberName(node: SyntaxNode): string | undefined {
  if (node.type !== "MemberExpression") return undefined;
  const { property } = node as unknown as { property: { name?: string; value?: unknown } };
  return property.name ?? (typeof property.value === "string" ? property.value : undefined);
}

/** `process`, `globalThis.process`, `global.process`. */
function isProcess(node: SyntaxNode): boolean {
  if (node.type === "Identifier") return (node as unknown as { name: string }).name === "process";
  return memberName(node) === "process";
}
