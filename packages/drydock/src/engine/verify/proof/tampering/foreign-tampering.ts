/** What source of one language does to get round the tests that run it: it takes the place of their tools, or ends their process. */
interface TamperingRules {
  files: RegExp;
  patterns: readonly RegExp[];
  /** Only in what is no program of its own: a program may end as it likes. */
  inLibraries?: readonly RegExp[];
  isProgram?: RegExp;
}

const SHELL_TOOL = String.raw`(?:\[\[?|test|diff|cmp|comm|grep|egrep|fgrep|exit|false|true|command|builtin|set|trap|expr|return)`;
const SHELL_FUNCTION = String.raw`(?:function[ \t]+${SHELL_TOOL}[ \t]*(?:\(\))?[ \t\n]*\{|${SHELL_TOOL}[ \t]*\(\)[ \t\n]*[{(])`;
/** Ending well, by a way that runs nothing more. */
const HARD_EXIT = /\b(?:_exit|_Exit|quick_exit)\s*\(\s*(?:0|EXIT_SUCCESS)\s*\)/;

/** Python and JavaScript have lists of their own. What stands in no function begins at the start of a line. */
const LANGUAGES: readonly TamperingRules[] = [
  {
    files: /\.(c|h|cc|cpp|cxx|hpp|hh|hxx|m|mm|inl)$/i,
    patterns: [
      /^[ \t]*#[ \t]*(?:define|undef)[ \t]+(?:assert|main|exit|_exit|abort|return|if|else|strcmp|strncmp|memcmp|NDEBUG)\b/m,
      /\b(?:__assert_fail|__assert_rtn|__wrap_\w+|__libc_start_main)\s*\(/,
      /\bsignal\s*\(\s*SIGABRT\b/,
      /(?:\bconstructor\b|\bdestructor\b|\batexit\b|\bon_exit\b|_array\b)[\s\S]{0,2000}?\b_?exit\s*\(\s*(?:0|EXIT_SUCCESS)\s*\)/,
    ],
    inLibraries: [HARD_EXIT],
    isProgram: /\bmain\s*\(|\bfork\s*\(/,
  },
  {
    files: /\.(sh|bash|ksh|zsh|bats|lib|inc)$|(^|\/)[^./]+$/i,
    patterns: [
      new RegExp(String.raw`(?:^|[;&|{\n])[ \t]*${SHELL_FUNCTION}`, "m"),
      new RegExp(String.raw`\balias[ \t]+(?:-\w+[ \t]+)?["']?${SHELL_TOOL}=`),
      /\bhash[ \t]+-p\b|\benable[ \t]+-n\b/,
      /\btrap\b[^\n]{0,200}?\bexit[ \t]+0\b[^\n]{0,100}?\b(?:EXIT|ERR|0)\b/,
    ],
  },
  {
    files: /\.(pm|pl)$/i,
    patterns: [
      /\bCORE::GLOBAL::\w+|\*(?:\{['"])?Test::\w+|\bTest::(?:Builder|More)\b/,
      /^[ \t]*END[ \t]*\{[^}]{0,500}?(?:\$\?|\bexit\b)/m,
      /\bPOSIX::_exit\b/,
      /\boverload::constant\b|\bFilter::(?:Simple|Util::Call)\b|%\^H\b/,
    ],
    inLibraries: [/^exit\b/m],
    isProgram: /^#!/,
  },
  {
    files: /\.rb$/i,
    patterns: [/\bat_exit\b[\s\S]{0,200}?\bexit\b/, /\bexit!/, /\b(?:Minitest|RSpec|Test::Unit)\b/],
    inLibraries: [/^exit\b/m],
    isProgram: /^#!/,
  },
  {
    files: /\.lua$/i,
    patterns: [/(?:^|\b_G\.)assert\s*=|^function\s+assert\b/m, /\bdebug\.(?:sethook|getlocal|setlocal)\b/],
    inLibraries: [/^os\.exit\b/m],
    isProgram: /^#!/,
  },
  { files: /\.php$/i, patterns: [/\bregister_shutdown_function\b[\s\S]{0,200}?\bexit\b/, /\bPHPUnit\\/] },
  {
    files: /\.rs$/i,
    patterns: [/\bmacro_rules!\s*(?:assert\w*|panic)\b/, /\bpanic::set_hook\b/, /\blibc::_exit\b/],
  },
  { files: /\.go$/i, patterns: [/^func\s+init\(\)[^}]{0,500}?\bExit\(0\)/m, /^func\s+TestMain\b/m] },
  {
    files: /\.(java|kt|kts|scala|groovy|cs|swift)$/i,
    patterns: [/\bRuntime\.getRuntime\(\)\.halt\b/, /\bstatic\s*\{[^}]{0,500}?\bSystem\.exit\s*\(\s*0\s*\)/],
  },
];

/** Whether a file is one of these languages, as far as its name tells. */
export function isForeignSource(path: string): boolean {
  return LANGUAGES.some(({ files }) => files.test(path));
}

/** What a file uses of it and did not use before; null: nothing. */
export function findForeignTampering(path: string, before: string, after: string): string | null {
  const language = LANGUAGES.find(({ files }) => files.test(path));
  if (!language) return null;
  const { patterns, inLibraries = [], isProgram } = language;
  const all = isProgram?.test(after) ? patterns : [...patterns, ...inLibraries];
  const found = all.map((pattern) => pattern.exec(after)).find((match) => match && !before.includes(match[0]));
  return found ? (found[0].trim().split("\n")[0] ?? "") : null;
}

const C_FILE = /\.(c|h|cc|cpp|cxx|hpp|hh|hxx|m|mm|inl)$/i;
const MACRO = /^[ \t]*#[ \t]*(?:define[ \t]+(\w+)\(|undef[ \t]+(\w+))/gm;

/** A macro of the tests to which source gives another meaning; null: none. */
export function findRedefinedMacro(path: string, before: string, after: string, tests: string): string | null {
  if (!C_FILE.test(path)) return null;
  const own = new Set([...tests.matchAll(MACRO)].flatMap(([, name]) => name ?? []));
  const found = [...after.matchAll(MACRO)].find(
    ([text, defined, undone = ""]) => own.has(defined ?? undone) && !before.includes(text),
  );
  return found ? found[0].trim() : null;
}

/** Settings of the shell that change what tests compare, or whether they end with the first failure; not where they are put back. */
const SHELL_SETTINGS = [
  /\bshopt[ \t]+-s[ \t]+nocasematch\b(?![\s\S]*\bshopt[ \t]+-u[ \t]+nocasematch\b)/,
  /\bset[ \t]+\+(?:[a-df-z]*e[a-z]*|o[ \t]+errexit)\b(?![\s\S]*\bset[ \t]+-(?:[a-df-z]*e[a-z]*|o[ \t]+errexit)\b)/,
];

/** What a shell file that tests source sets for them and did not set before; null: nothing. */
export function findSourcedTampering(before: string, after: string): string | null {
  const found = SHELL_SETTINGS.find((pattern) => pattern.test(after) && !pattern.test(before));
  return found?.exec(after)?.[0] ?? null;
}
