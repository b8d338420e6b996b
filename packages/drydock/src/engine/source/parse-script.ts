import { type ParserOptions, parse } from "@babel/parser";

/** A node of the syntax tree: its type, its UTF-16 offsets, and what the type brings with it. */
export interface SyntaxNode {
  type: string;
  start: number;
  end: number;
  [property: string]: unknown;
}

const MAX_BYTES = 1024 * 1024;
const SCRIPT = /\.[cm]?[jt]sx?$/i;

/** Whether the path is one of JavaScript or TypeScript. */
export function isScript(path: string): boolean {
  return SCRIPT.test(path) && !/\.d\.[cm]?ts$/i.test(path);
}

/** The syntax tree of a JavaScript or TypeScript file; null where it is too large or does not parse. */
export function parseScript(path: string, text: string): SyntaxNode | null {
  if (text.length > MAX_BYTES) return null;
  for (const plugins of pluginsFor(path)) {
    try {
      const { program, comments } = parse(new BoundedText(text) as unknown as string, {
        plugins,
        sourceType: "unambiguous",
        // An early error, such as a name that is declared twice, leaves the tree intact.
        errorRecovery: true,
        allowReturnOutsideFunction: true,
        allowAwaitOutsideFunction: true,
        allowUndeclaredExports: true,
      });
      // Not among the keys by which nodes are walked.
      return Object.defineProperty(program, "allComments", { value: comments ?? [] }) as unknown as SyntaxNode;
    } catch {
      // Not in this dialect, nested too deeply for the parser's stack, or read too often.
    }
  }
  return null;
}

/** All comments below the root of a syntax tree. */
export function listComments(program: SyntaxNode): SyntaxNode[] {
  return program.allComments as SyntaxNode[];
}

/** The line at which a text stops being JavaScript or TypeScript, from 1; null where that is not known. */
export function findSyntaxError(path: string, text: string): number | null {
  const [plugins] = pluginsFor(path);
  try {
    parse(new BoundedText(text) as unknown as string, { plugins, sourceType: "unambiguous" });
    return null;
  } catch (error) {
    const { loc } = error as { loc?: { line?: number } };
    return loc?.line ?? null;
  }
}

/**
 * A text that can be read only a limited number of times. Where types and arrow functions look alike, the parser tries
 * one and then the other. Nested, that takes exponential time, and the files are untrusted.
 */
class BoundedText extends String {
  #readsLeft = 100_000 + 50 * this.length;

  override charCodeAt(index: number): number {
    this.#readsLeft -= 1;
    if (this.#readsLeft < 0) throw new RangeError("The parser read the text too often.");
    return super.charCodeAt(index);
  }
}

/** A file's own dialect first. Many .js files hold types or JSX all the same. */
function pluginsFor(path: string): ParserOptions["plugins"][] {
  if (/\.[cm]?ts$/i.test(path)) return [["typescript", "decorators-legacy"]];
  if (/\.tsx$/i.test(path)) return [["typescript", "jsx", "decorators-legacy"]];
  return [
    ["jsx", "decorators-legacy"],
    ["flow", "jsx", "decorators-legacy"],
    ["typescript", "jsx", "decorators-legacy"],
  ];
}

/** A node, and the way up to the root. */
export interface Visit {
  node: SyntaxNode;
  above: Visit | null;
}

/** Visits the root and each node below it, parents before children. A chain of calls can be deep: nothing here recurses. */
export function* walkNodes(root: SyntaxNode): Generator<Visit> {
  const stack: Visit[] = [{ node: root, above: null }];
  for (let visit = stack.pop(); visit; visit = stack.pop()) {
    yield visit;
    for (const node of childrenOf(visit.node).reverse()) stack.push({ node, above: visit });
  }
}

/** The nodes right below a node, in the order of the text as far as the tree has it. */
export function childrenOf(node: SyntaxNode): SyntaxNode[] {
  return Object.entries(node).flatMap(([key, value]) => {
    if (key === "loc" || key === "extra" || key === "errors" || key.endsWith("Comments")) return [];
    return Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [];
  });
}

/** Whether a property's value is a node of the tree. */
export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && typeof (value as SyntaxNode).type === "string";
}
