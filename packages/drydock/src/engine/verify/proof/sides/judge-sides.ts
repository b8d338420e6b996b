import { DATA_MARK, type Expression, type FileFacts } from "./facts.ts";
import { createOrigins, type Resolve, type Use } from "./name-origins.ts";

/**
 * How a file that judges uses a module. `actual`: it is tried out. `expected`: results are compared with it. `cases`: it
 * is gone through. `asserter`: it is handed results. `supports`: test classes or tests are built on it.
 */
export type Side = "actual" | "expected" | "cases" | "asserter" | "supports";

export interface SideOptions {
  facts: FileFacts;
  resolve: Resolve;
  /** Whether the file starts programs of the tree. */
  runsTree: boolean;
  /** Only what assertions compare counts: of a program that is no test, other comparisons are its work. */
  onlyFirm: boolean;
}

const ASSERTS = /^(assert|expect|strictEqual|deepEqual|deepStrictEqual|equal|notEqual|is|same|like)/i;
const ASSERTING_OBJECT = /^(assert|expect|self|t|tap|strict|np|numpy|pd)$/;
const TAKES_RESULTS = /assert|check|same|equal|expect|verif|ensure|match|should|compare/i;
const MEANT = /expect|want|gold|answer|correct|reference|oracle/i;
/** The first argument of these is what is looked for in the second. */
const MEMBERS_FIRST = /^assert_?(Not_?)?In$/i;
const NO_COMPARISON = /raises|throws|rejects|warns|logs|isinstance|instanceof/i;

/** The sides on which one file uses what it imports and reads, by module. */
export function judgeSides({ facts: file, resolve, runsTree, onlyFirm }: SideOptions): Map<string, Set<Side>> {
  const sides = new Map<string, Set<Side>>();
  const usesOf = createOrigins(file, resolve, runsTree);
  const note = (module: string, side: Side) => sides.set(module, (sides.get(module) ?? new Set()).add(side));
  const noteActual = (uses: readonly Use[]) => {
    for (const { module, plain } of uses) if (!plain) note(module, "actual");
  };
  const readSides = (left: Expression, right: Expression, scope: string) => {
    const sided = (expression: Expression) => usesOf(expression, scope).filter(({ plain }) => !plain);
    return [sided(left), sided(right)] as const;
  };
  const isReversed = habitOf(file, readSides);
  const compare = (first: Expression, second: Expression, scope: string) => {
    const [left, right] = readSides(first, second, scope);
    const order = orient(left, right, isMeant(first), isReversed);
    if (order === null) return noteActual([...left, ...right]);
    const [tried, wanted] = order;
    noteActual(tried);
    const others = new Set(tried.map(({ module }) => module).filter((module) => !module.startsWith(DATA_MARK)));
    for (const { module, soft } of wanted) {
      if (others.has(module) || others.size === 0) note(module, "actual");
      else if (!soft) note(module, "expected");
    }
  };
  const call = (callee: readonly string[], args: readonly Expression[], scope: string, isStatement: boolean) => {
    const name = callee.at(-1) ?? "";
    const [own] = usesOf([{ parts: [...callee], called: true, args: [] }], scope);
    const [first = [], second = []] = args;
    const isAsserting = callee.length === 1 ? ASSERTS.test(name) : ASSERTING_OBJECT.test(callee.at(-2) ?? "");
    if (!own && (isAsserting || /^assert/i.test(name))) {
      if (args.length < 2 || NO_COMPARISON.test(name)) return noteActual(args.flatMap((each) => usesOf(each, scope)));
      return MEMBERS_FIRST.test(name) ? compare(second, first, scope) : compare(first, second, scope);
    }
    if (!isStatement || Object.hasOwn(file.functions, name)) return;
    const passed = args.flatMap((each) => usesOf(each, scope));
    const isHanded = own !== undefined && !own.element && passed.some(({ module }) => module !== own.module);
    if (own) note(own.module, isHanded ? "asserter" : "actual");
    if (isHanded && TAKES_RESULTS.test(name) && args.length > 1) compare(first, second, scope);
    else noteActual(passed.filter(({ active }) => active));
  };
  for (const fact of file.facts) {
    const { kind, scope } = fact;
    if (kind === "compare" && (fact.firm || !onlyFirm)) compare(fact.left, fact.right, scope);
    else if (kind === "holds") noteActual(usesOf(fact.value, scope));
    else if (kind === "call") call(fact.callee, fact.args, scope, fact.statement);
    else if (kind === "supports") for (const { module } of usesOf(fact.value, scope)) note(module, "supports");
    else if (kind === "assign" && fact.loop) {
      for (const { module, active, plain } of usesOf(fact.value, scope)) if (!active && !plain) note(module, "cases");
    }
  }
  return sides;
}

type ReadSides = (left: Expression, right: Expression, scope: string) => readonly [Use[], Use[]];

/** Whether the file writes what it expects first: `assert 5 == add(2, 3)`. */
function habitOf({ facts }: FileFacts, readSides: ReadSides): boolean {
  let [first, second] = [0, 0];
  for (const fact of facts) {
    const pair = fact.kind === "compare" ? [fact.left, fact.right] : fact.kind === "call" ? fact.args : [];
    const [left, right] = pair;
    if (!left || !right || (fact.kind === "call" && !/^assert|equal/i.test(fact.callee.join(".")))) continue;
    const [before, after] = readSides(left, right, fact.scope);
    if (before.length === 0 && after.some(({ active }) => active)) first += 1;
    if (after.length === 0 && before.some(({ active }) => active)) second += 1;
  }
  return first > second;
}

/** The tested side and the expected side of a comparison. Null: unknown. */
function orient(
  left: readonly Use[],
  right: readonly Use[],
  isMeantFirst: boolean,
  isReversed: boolean,
): readonly [readonly Use[], readonly Use[]] | null {
  const isActive = (uses: readonly Use[]) => uses.some(({ active }) => active);
  if (left.length > 0 && !isActive(left) && isActive(right)) {
    // A constant may be what is tried out as well as what is wanted.
    const isWanted = isMeantFirst || left.every(({ element, module }) => element || module.startsWith(DATA_MARK));
    return isWanted ? [right, left] : null;
  }
  const isLastWanted = !isActive(right) && right.length > 0;
  return isReversed && !isLastWanted ? [right, left] : [left, right];
}

function isMeant(expression: Expression): boolean {
  return expression.some(({ parts }) => parts.some((part) => MEANT.test(part)));
}
