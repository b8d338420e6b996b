import type { TestOutcome } from "@drydock/protocol";
import type { WitnessedTest } from "./witness-report.ts";

/** One file of JUnit XML, as the driver found it. */
export interface JunitFile {
  path: string;
  text: string;
}

export interface JunitTests {
  tests: WitnessedTest[];
  /** Whether every file could be read to its end. */
  complete: boolean;
}

interface Element {
  name: string;
  attributes: Record<string, string>;
  children: Element[];
}

const MOST_DEPTH = 40;

/**
 * Reads the tests out of JUnit XML. There is no standard: what all writers agree on is `testcase` with `name` and mostly
 * `classname`, which holds `failure`, `error` or `skipped` where it did not pass.
 *
 * @param root Where the workspace lies inside of the sandbox: some writers name files by their whole path.
 */
export async function readJunit(files: readonly JunitFile[], root: string): Promise<JunitTests> {
  const tests: WitnessedTest[] = [];
  const counts = new Map<string, number>();
  let complete = files.length > 0;
  for (const { text } of files) {
    const top = await parseXml(text);
    if (!top) complete = false;
    else collectTests(top, null, (test, file) => tests.push(describeTest(test, file, root, counts)));
  }
  return { tests, complete };
}

function collectTests(
  element: Element,
  file: string | null,
  onTest: (test: Element, file: string | null) => void,
): void {
  const own = element.attributes.file ?? file;
  if (element.name === "testcase") onTest(element, own);
  else for (const child of element.children) collectTests(child, own, onTest);
}

function describeTest(test: Element, named: string | null, root: string, counts: Map<string, number>): WitnessedTest {
  const file = named === null ? null : placeFile(named, root);
  const { name = "", classname = file ?? "" } = test.attributes;
  const plain = classname === "" ? name : `${classname}::${name}`;
  const count = (counts.get(plain) ?? 0) + 1;
  counts.set(plain, count);
  const id = count === 1 ? plain : `${plain} #${count}`;
  return { id, runner: "junit", outcome: outcomeOf(test), file };
}

function outcomeOf({ children }: Element): TestOutcome {
  const names = new Set(children.map(({ name }) => name));
  if (names.has("failure") || names.has("error")) return "failed";
  return names.has("skipped") ? "skipped" : "passed";
}

function placeFile(named: string, root: string): string | null {
  const path = named.startsWith(`${root}/`) ? named.slice(root.length + 1) : named.replace(/^(\.\/)+/, "");
  return path === "" || path.startsWith("/") || path.split("/").includes("..") ? null : path;
}

/** The root element; null where it is not well-formed, or declares what a report has no use for (entities may grow without bounds). */
async function parseXml(text: string): Promise<Element | null> {
  if (/<!(DOCTYPE|ENTITY)/i.test(text)) return null;
  const { XMLParser, XMLValidator } = await import("fast-xml-parser");
  if (XMLValidator.validate(text) !== true) return null;
  const parser = new XMLParser({
    preserveOrder: true,
    ignoreAttributes: false,
    attributeNamePrefix: "",
    parseAttributeValue: false,
    parseTagValue: false,
    maxNestedTags: MOST_DEPTH,
  });
  try {
    const elements = readElements(parser.parse(text));
    return elements.find(({ name }) => name === "testsuites" || name === "testsuite") ?? null;
  } catch {
    return null;
  }
}

/** The library gives each element as an object with its name as a key, and its attributes under `:@`. */
function readElements(nodes: unknown): Element[] {
  if (!Array.isArray(nodes)) return [];
  return nodes.flatMap((each: Record<string, unknown>) => {
    const name = Object.keys(each).find((key) => key !== ":@" && key !== "#text" && !key.startsWith("?"));
    if (name === undefined) return [];
    const attributes = (each[":@"] ?? {}) as Record<string, string>;
    return [{ name, attributes, children: readElements(each[name]) }];
  });
}
