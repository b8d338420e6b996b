import { findAssertionHandler } from "./assertion-handlers.ts";

/** Words by which source gets round the check that judges it, in Python and JavaScript. See foreign-tampering.ts for other languages. */

const BUILT_IN =
  "Array|Object|String|Number|Boolean|Promise|Function|Error|TypeError|RangeError|Map|Set|Symbol|Reflect|JSON|Math";

/** Ways into the process that judges, which the work itself has no use for. */
const TAMPERING = [
  /^[^\S\r\n]*(?:import|from)\s+(?:unittest|pytest|_pytest|doctest|hypothesis)\b/m,
  /\b(?:__globals__|__closure__|cell_contents)\b/,
  /\b(?:__build_class__|_getframe|f_locals|co_consts|co_code|settrace|setprofile)\b|\bgc\.get_(?:objects|referrers)\b/,
  /\bsys\.modules\s*\[[^\]\n]+\]\s*=|\bsys\.modules\.(?:update|setdefault)\b|\bsys\.meta_path\b/,
  /\bsys\.modules\.(?:values|items)\b|\b(?:list|tuple|dict|set|sorted)\(\s*sys\.modules\b|\bfor\s+\w+\s+in\s+sys\.modules\b/,
  /^[^\S\r\n]*(?:import|from)\s+__main__\b|\[\s*['"]__main__['"]\s*\]|\borig_argv\b|\/proc\/[^\s'"/]{1,40}\/(?:cmdline|mem|environ)\b/m,
  /^[^\S\r\n]*import\s+builtins\b|\bbuiltins\.\w+\s*=[^=]|\b__builtins__\b/m,
  /\brequire\(\s*['"](?:node:)?(?:assert|test)\b|\bfrom\s+['"](?:node:)?(?:assert|test)\b|\bexpect\.extend\b/,
  /\b(?:ERR_ASSERTION|retryTimes|RETRY_TIMES|__vitest_\w+)\b|(?:instanceof\s+(?:\w+\.)?|['"])AssertionError\b/,
  /\bprocess\.(?:binding|reallyExit)\b|\basymmetricMatch\b|\bprepareStackTrace\b|\brequire\.cache\b|\bModule\._(?:load|resolveFilename)\b/,
  /\$\$jest|\bjest-matchers-object\b|\basymmetricMatcher\b/,
  /\bregisterHooks\s*\(|\b(?:Module|module)\.register\(/,
  new RegExp(
    String.raw`\b(?:${BUILT_IN})\.prototype\.\w+\s*=[^=]|\b(?:globalThis|global)\.(?:${BUILT_IN}|test|it|describe|expect|assert|setTimeout)\s*=[^=]`,
  ),
  new RegExp(String.raw`\bdefinePropert(?:y|ies)\(\s*(?:globalThis|global|(?:${BUILT_IN})(?:\.prototype)?)\s*,`),
];

/** Libraries for tests. `vitest/config` and `vitest/node` configure, and are for programs around them. */
const TEST_LIBRARY =
  /(?:\brequire|\bfrom|\bimport)\s*\(?\s*['"](?:vitest(?!\/(?:config|node)['"])|@jest\/globals|@vitest\/(?:expect|spy|runner)|chai|fast-check|mocha|sinon|ava|tap|uvu)(?:\/[^'"\n]*)?['"]/;

const REPLACED = /\b(fs|assert|util|path|child_process|http|https|timers|vm|crypto|os)\.\w+\s*=[^=>]/g;

/**
 * An assignment to a function of one of Node's modules. `path.cost = 5` without that module is the project's own
 * variable.
 */
function findReplaced(before: string, after: string): string | undefined {
  const found = [...after.matchAll(REPLACED)].find(([text, name = ""]) => {
    const isModule = [`'${name}'`, `"${name}"`, `node:${name}`].some((word) => after.includes(word));
    return isModule && !before.includes(text);
  });
  return found?.[0].trim();
}

/** What tells a program that it is being tested. */
const TELLTALES = [
  /\b(?:PYTEST_CURRENT_TEST|PYTEST_VERSION|NODE_TEST_CONTEXT|JEST_WORKER_ID|VITEST(?:_\w+)?|MOCHA_\w+)\b/,
  /['"](?:pytest|_pytest|unittest)['"]\s+in\s+sys\.modules|\bNODE_ENV\b[^\n]{0,20}['"]test['"]/,
];

/** Words by which source asks a compiler or a linter to look away. */
const SUPPRESSED =
  /@ts-(?:nocheck|ignore|expect-error)|\b(?:eslint|oxlint|tslint|stylelint|shellcheck|pylint)[ :-]+disable|\bbiome-ignore\b|#\s*noqa\b|#\s*type:\s*ignore|\bruff:\s*noqa|\bmypy:\s*ignore-errors|\bpyright:\s*(?:ignore|basic)|\bprettier-ignore\b|\bfmt:\s*(?:off|skip)|\bnosec\b/;

/** The same for what measures coverage. */
const UNCOVERED =
  /\bnode:coverage\s+(?:disable|ignore)\b|\b(?:c8|istanbul|v8)\s+ignore\b|\bpragma:\s*no\s*(?:cover|branch)\b/;

/** What lets any type stand for any other: the compiler that is the check believes it. */
const UNTYPED =
  /\bas\s+unknown\s+as\b|\bas\s+(?:any|never)\b|<never>|:\s*any\b|<any>|\bdeclare\s+(?:function|class)\b|\bexport\s+declare\b/;

/** What a test holds that has coverage counted otherwise, or ends the command by itself. */
export const TURNS_COVERAGE =
  /\b(?:__coverage__|cov_fail_under|NODE_V8_COVERAGE|takeCoverage|stopCoverage|os\._exit|reallyExit)\b|\bimport\s+coverage\b|\bprocess\.exit(?:Code\s*=\s*0|\(\s*0?\s*\))/;

/** How a check looks at the work, where that makes further words suspect. */
export interface CheckTraits {
  /** It only reads, as compilers and linters do. */
  reads: boolean;
  types: boolean;
  coverage: boolean;
}

/** What is suspect in the new text of a file and was not there before, as a part of a sentence about the file; null: nothing. */
export function findSuspect(before: string, after: string, { reads, types, coverage }: CheckTraits): string | null {
  const tampering =
    findNew(TAMPERING, before, after) ?? findReplaced(before, after) ?? findAssertionHandler(before, after);
  if (tampering) return `uses ${tampering}, by which source can reach into its own tests.`;
  const library = TEST_LIBRARY.test(before) ? undefined : TEST_LIBRARY.exec(after)?.[0];
  if (library) return `loads a library for tests (${library}), by which source can reach into its own tests.`;
  const telltale = findNew(TELLTALES, before, after);
  if (telltale) return `asks for ${telltale}: what it does may depend on being tested.`;
  const suppressed = (reads && findMore(SUPPRESSED, before, after)) || (coverage && findMore(UNCOVERED, before, after));
  if (suppressed) return `says ${suppressed}, which tells the check to look away.`;
  const untyped = types && findMore(UNTYPED, stripText(before), stripText(after));
  return untyped ? `says ${untyped}, which the check takes on trust.` : null;
}

function findNew(patterns: readonly RegExp[], before: string, after: string): string | undefined {
  const found = patterns.flatMap((pattern) => listMatches(pattern, after)).find((text) => !before.includes(text));
  return found?.trim();
}

/** One that stands there more often than before. */
function findMore(pattern: RegExp, before: string, after: string): string | undefined {
  const [were, are] = [listMatches(pattern, before), listMatches(pattern, after)];
  const known = new Set(were);
  return are.length > were.length ? (are.find((text) => !known.has(text)) ?? are.at(-1))?.trim() : undefined;
}

function listMatches(pattern: RegExp, text: string): string[] {
  return [...text.matchAll(new RegExp(pattern, `${pattern.flags}g`))].map(([match]) => match);
}

/** Without comments and strings, as far as that works without parsing. */
function stripText(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g, " ");
}
