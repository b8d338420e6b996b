import type { Splice } from "../../../source/splice.ts";
import { changeLiteral, isLiteral } from "./change-literal.ts";
import { findComparedText, findComparisons, type Spoiler, type SpoiltExpectation, spoilAll } from "./comparisons.ts";
import { closeOf, depthOf, splitArguments, type Token } from "./read-tokens.ts";

const ASSERTION =
  /^\$?(?:\w*(?:assert|verify|ensure|expect|should|refute|STREQ|must_eq|must_be)\w*|(?:\w+_)?check(?:[A-Z_]\w*)?|(?:\w+_)?CHECK\w*|REQUIRE\w*|(?:is|isnt|ok|like|is_deeply|cmp_ok|are_?equal|eq_?ok))$/i;
/** `assert.Equal(…)`, `Assert.AreEqual(…)`, `$this->assertSame(…)`, `assert.same(…)`. */
const HOLDER = /^\$?(?:assert|assertions?|require|should|check|expect|lu|luaunit)$/i;
const NO_CONTROL =
  /static_?assert|const_assert|assume|throw|raise|panic|fail|die|expected?_?(exception|error)|prints?/i;
const NEGATIVE =
  /not|(^|_)ne($|_)|NE$|isnt|unlike|refute|differ|false$|(^|_)(gt|lt|ge|le)($|_)|greater|less|null|nil$/i;
const EQUAL = /eq|same|^is$|^is_deeply$|^like$|^cmp_ok$|match|deep|cmp|STR|contain/i;
const RENAMED: Record<string, string> = {
  assert_eq: "assert_ne",
  ASSERT_EQ: "ASSERT_NE",
  EXPECT_EQ: "EXPECT_NE",
  ASSERT_STREQ: "ASSERT_STRNE",
  EXPECT_STREQ: "EXPECT_STRNE",
  assertEquals: "assertNotEquals",
  assertSame: "assertNotSame",
  assertNull: "assertNotNull",
  assertNotNull: "assertNull",
  assert_equal: "refute_equal",
  assert_nil: "refute_nil",
  is: "isnt",
  like: "unlike",
  Equal: "NotEqual",
  AreEqual: "AreNotEqual",
  XCTAssertEqual: "XCTAssertNotEqual",
  Nil: "NotNil",
};
/** They make a value of literals, and compute nothing. */
const MAKES_VALUE =
  /^(?:Some|Ok|Err|String|from|to_string|to_owned|into|vec|of|asList|List|listOf|mapOf|arrayOf|new|Vec|array|Array|string|string_view|wstring|str|valueOf|BigDecimal|Set|Map|pair|make_pair|make_tuple|tuple)$/;
const TAKES_CONDITION = /^(?:ok|CHECK|REQUIRE|\w*assert|\w*ASSERT\w*|\w*(?:true|false))$/i;
const PRECEDES_CALL = /^(?:return|else|do|and|or|not|await|then|try|if|in|go|defer|yield|co_await|case|when|begin)$/;
const DEFINES =
  /^(?:def|fn|func|fun|function|sub|void|int|bool|boolean|static|class|struct|char|double|float|long|auto|macro_rules|struct|val|var|let|my|local|define|use|import|package|require)$/;

/** The call of an assertion at this place, made to want something else; null: there is none, or nothing can be done. */
export function spoilAssertion(tokens: readonly Token[], at: number, spoiler: Spoiler): SpoiltExpectation | null {
  const name = tokens[at];
  const isLoose = spoiler.syntax.isLoose === true;
  if (name?.kind !== "word" || !isAssertion(tokens, at, isLoose) || NO_CONTROL.test(name.text)) return null;
  const inside = readCall(tokens, at, isLoose);
  const values = inside && dropContext(splitArguments(inside), name.text);
  if (!values) return null;
  const compared = values.filter((each) => each.length > 1).flatMap((each) => findComparisons(each, spoiler.syntax));
  if (compared.length > 0) {
    const wanted = !/false|refute|not/i.test(name.text);
    return spoilAll(compared, wanted, spoiler);
  }
  const isNegative = NEGATIVE.test(name.text);
  if (values.length >= 2 && !isNegative) {
    const expected = EQUAL.test(name.text) ? findExpected(values) : findBeside(values, name.text);
    if (expected.length > 0) return { splices: changeAll(expected, spoiler), strength: "value" };
  }
  const canRename = (values.length >= 2 || /null|nil/i.test(name.text)) && Object.hasOwn(RENAMED, name.text);
  const renamed = canRename ? RENAMED[name.text] : undefined;
  if (renamed !== undefined) {
    return { splices: [{ start: name.start, end: name.end, replacement: renamed }], strength: "value" };
  }
  return isNegative && !/false$/i.test(name.text) ? null : negate(name.text, values, spoiler);
}

function changeAll(literals: readonly Token[], { syntax, salt }: Spoiler): Splice[] {
  return literals.map((literal) => changeLiteral(literal, syntax, salt));
}

function isAssertion(tokens: readonly Token[], at: number, isLoose: boolean): boolean {
  const [before, holder] = [tokens[at - 1], tokens[at - 2]];
  const isHeld = /^(?:\.|->|::)$/.test(before?.text ?? "") && HOLDER.test(holder?.text ?? "");
  if (!isHeld && !ASSERTION.test(tokens[at]?.text ?? "")) return false;
  if (before?.kind !== "word" || tokens[at]?.isFirst) return true;
  // A word before a name is its type, or says that it is defined here.
  return isLoose ? !DEFINES.test(before.text) : PRECEDES_CALL.test(before.text);
}

/** What stands between the parentheses, or behind a name that needs none. */
function readCall(tokens: readonly Token[], at: number, isLoose: boolean): Token[] | null {
  const open = tokens[at + 1]?.text === "!" ? at + 2 : at + 1;
  const isStatement = tokens[at]?.text === "assert" && !isLoose;
  if (tokens[open]?.text === "(" && (!isLoose || tokens[open]?.start === tokens[at]?.end)) {
    const close = closeOf(tokens, open);
    // The body of a function follows its parameters; `assert (a) == b;` is no call.
    const next = tokens[close + 1]?.text ?? "";
    if (next === "{" && tokens[at - 1]?.kind === "word") return null;
    if (!isStatement || !/^(?:==|!=|<=|>=|[<>?.+*/-])$/.test(next)) return tokens.slice(open + 1, close);
  }
  if (isStatement && (tokens[at + 1]?.kind !== "mark" || /^[(!-]$/.test(tokens[at + 1]?.text ?? ""))) {
    const statement = tokens.slice(at + 1, at + 101);
    const end = statement.findIndex(({ text }) => text === ";");
    return end < 0 ? null : statement.slice(0, end);
  }
  if (!isLoose || tokens[at + 1]?.isFirst || /^(?:[=.,;)}]|=>|->)$/.test(tokens[at + 1]?.text ?? ";")) return null;
  return tokens.slice(at + 1, endOfStatement(tokens, at + 1));
}

/** Of languages in which a line ends a statement, unless something is open. */
export function endOfStatement(tokens: readonly Token[], from: number): number {
  let depth = 0;
  for (let at = from; at < tokens.length; at++) {
    const token = tokens[at];
    if (!token) break;
    depth += depthOf(token);
    const isOver =
      token.text === ";" || (at > from && token.isFirst && !/^(?:,|&&|\|\||and|or)$/.test(tokens[at - 1]?.text ?? ""));
    if (depth < 0 || (depth === 0 && (isOver || /^(?:if|unless|do)$/.test(token.text)))) return at;
  }
  return tokens.length;
}

/** Without the test's own handle, as `t` in Go, and without the operator of `cmp_ok`. Null: it wants no equality. */
function dropContext(values: Token[][], name: string): Token[][] | null {
  const [first] = values;
  const isHandle = first?.length === 1 && /^(?:t|tb|self|this|state|test|b)$/i.test(first[0]?.text ?? "");
  const rest = isHandle ? values.slice(1) : values;
  if (!/cmp/i.test(name) || rest.length < 3) return rest;
  const operator = rest[1]?.map(({ text }) => text).join("") ?? "";
  return /^["']?(?:==|eq)["']?$/.test(operator) ? rest.toSpliced(1, 1) : null;
}

/**
 * Of a function that somebody named so: the literals beside the value that is looked at. One of them is what is expected, the
 * other at most a name. A condition with a message has none.
 */
function findBeside(values: Token[][], name: string): Token[] {
  const subject = values.findIndex((each) => wholeLiteral(each) === null);
  const [before, after] = [values[subject - 1], values[subject + 1]].map((each) => each && wholeLiteral(each));
  const isMessage = (token: Token | null | undefined) => token?.kind === "string" && TAKES_CONDITION.test(name);
  if (subject < 0 || (isMessage(after) && values.length === 2) || (isMessage(before) && !after)) return [];
  return [before, after].filter((each) => each !== undefined && each !== null);
}

/** Of the first two values, the one that is a literal; or the last literal of one that is made of literals. */
function findExpected([first = [], second = []]: Token[][]): Token[] {
  const whole = [second, first].map(wholeLiteral).find((each) => each !== null);
  if (whole) return [whole];
  const made = [second, first].filter((each) => !hasCall(each)).map((each) => each.findLast(isLiteral));
  return made.filter((each) => each !== undefined).slice(0, 1);
}

function wholeLiteral(value: readonly Token[]): Token | null {
  const signed = /^[-+&]$/.test(value[0]?.text ?? "") ? value.slice(1) : value;
  const [token] = signed;
  return signed.length === 1 && token && isLiteral(token) ? token : null;
}

function hasCall(value: readonly Token[]): boolean {
  return value.some(
    ({ kind, text }, at) => kind === "word" && !MAKES_VALUE.test(text) && /^[(]$/.test(value[at + 1]?.text ?? ""),
  );
}

/** `assert(ok)` becomes `assert(!(ok))`. */
function negate(name: string, values: Token[][], { syntax, salt }: Spoiler): SpoiltExpectation | null {
  const value = values.find((each) => wholeLiteral(each) === null) ?? [];
  const [first, last] = [value[0], value.at(-1)];
  const isPlain = /^(?:\w*assert|ok|check|require|verify|ensure)$/i.test(name) || /true|false/i.test(name);
  if (!first || !last || !isPlain || /^[{|&]$/.test(first.text)) return null;
  const text = findComparedText(value);
  if (text) return { splices: [changeLiteral(text, syntax, salt)], strength: "value" };
  const splices = [
    { start: first.start, end: first.start, replacement: `${syntax.not}(` },
    { start: last.end, end: last.end, replacement: ")" },
  ];
  return { splices, strength: "truth" };
}

const MATCHER =
  /^(?:eq|eql|equal|is|be|Be|isEqualTo|equalTo|toBe|toEqual|equals|Equal|contains?|Contains?|include|match|shouldBe|shouldEqual|be_within|start_with|end_with|hasSize|have_\w+)$/;
const OPENS_MATCHER = /^(?:expect|expect_that|assertThat|assert_that|should|Should|that|shouldBe|shouldEqual)$/;

/** `expect(x).to eq(5)`, `assertThat(x).isEqualTo(5)`, `x.Should().Be(5)`. */
export function spoilMatcher(tokens: readonly Token[], at: number, spoiler: Spoiler): SpoiltExpectation | null {
  const name = tokens[at];
  if (name?.kind !== "word" || !MATCHER.test(name.text)) return null;
  let from = at;
  while (from > 0 && at - from < 60 && !/^[;{}]$/.test(tokens[from]?.text ?? "")) from -= 1;
  const before = tokens.slice(from, at + 1).map(({ text }) => text);
  if (
    !before.some((text) => OPENS_MATCHER.test(text)) ||
    before.some((text) => /^(?:not|not_to|to_not|Not\w*|isNot\w*)$/.test(text))
  )
    return null;
  const isInfix = /^should/.test(name.text);
  const inside = readCall(tokens, at, spoiler.syntax.isLoose === true || isInfix);
  const expected = inside ? findExpected(splitArguments(inside)) : [];
  return expected.length > 0 ? { splices: changeAll(expected, spoiler), strength: "value" } : null;
}
