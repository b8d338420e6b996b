import type { EffectivePolicy } from "@drydock/protocol";
import picomatch from "picomatch";

/** Rules over paths relative to the workspace, with `/` between their parts. */
export interface PathRules {
  /** Not visible inside: the path itself or a directory above it is hidden. A directory may have to be shown for what it holds. */
  hidden(rel: string, isDirectory?: boolean): boolean;
  /** Never changed and never delivered: the path itself or a directory above it is protected. */
  protectedPath(rel: string): boolean;
  /** Inside the write scope, and neither protected nor hidden. */
  writable(rel: string): boolean;
}

/**
 * `flags: "s"` because a file's name may hold a newline, which must not take it out of a pattern's reach. Extended
 * globs and negation are off: the first can make matching take exponential time, the second would turn a list of
 * what is hidden into its opposite.
 */
const OPTIONS = { dot: true, nonegate: true, noextglob: true, windows: false, flags: "s" };

/** What holds settings without their values; projects keep it in their repository. */
const TEMPLATE = /(^|\/)(\.env\.([^/]+\.)?(example|sample|template|dist)|(example|sample|template)\.env)$/i;

const MAX_PATTERN_LENGTH = 256;
const MAX_STARS_IN_SEGMENT = 3;
const MAX_GLOBSTARS = 3;

/** Patterns come from cloned repositories too: the bounds keep a crafted one from holding the host up for minutes. */
export function describePathPatternProblem(text: string): string | null {
  const segments = text.split("/");
  if (text.length > MAX_PATTERN_LENGTH) return `is longer than ${MAX_PATTERN_LENGTH} characters`;
  if (text.startsWith("/")) return "is absolute; paths are relative to the workspace";
  if (segments.includes("..") || segments.includes(".")) return "holds a . or .. segment";
  if (segments.slice(0, -1).includes("")) return "holds an empty segment";
  if (text.startsWith("!")) return "starts with !, which only the home policy may use, to remove an entry from a list";
  if (/[()|\\\p{Cc}]/u.test(text)) return "holds one of ( ) | \\ or a control character; use * ** ? [ ] { }";
  if (segments.filter((segment) => segment === "**").length > MAX_GLOBSTARS) {
    return `holds more than ${MAX_GLOBSTARS} times **`;
  }
  if (segments.some((segment) => segment.split("*").length - 1 > MAX_STARS_IN_SEGMENT)) {
    return `holds more than ${MAX_STARS_IN_SEGMENT} stars in one segment`;
  }
  try {
    picomatch(text, OPTIONS);
  } catch {
    return "is not a valid glob";
  }
  return null;
}

type Matcher = (rel: string) => boolean;

/** What editors and tools append to the name of a file when they keep its earlier content. */
const BACKUP = /(?:~|\.(?:bak|orig|old|save|backup|sw[a-p])\d*)$/i;
const MAX_BACKUPS = 3;

/** A copy of a hidden file, such as `.npmrc.bak` or `server.pem~`, holds what the file holds. */
function withBackups(matches: Matcher): Matcher {
  return (rel) => {
    let path = rel;
    for (let copies = 0; copies <= MAX_BACKUPS; copies++) {
      if (matches(path)) return true;
      const original = path.replace(BACKUP, "");
      if (original === path || original === "" || original.endsWith("/")) return false;
      path = original;
    }
    return false;
  };
}

/** What the last part of a path says about it: whether it matches, or who must look at the whole path. */
type NameRule = (name: string) => boolean | Matcher;

/** On a file system that does not tell letters apart `.ENV` is `.env`, and a program that wants it finds it. */
function compileHidden(patterns: readonly string[]): Matcher {
  const matches = compileNames(patterns, { ...OPTIONS, flags: "si" });
  const spelled = compileNames(patterns.filter((pattern) => !/\.env(\.\*)?$/.test(pattern)));
  return withBackups(matchByName((name) => (TEMPLATE.test(name) ? spelled(name) : matches(name))));
}

function compilePatterns(patterns: readonly string[]): Matcher {
  return matchByName(compileNames(patterns));
}

function compileNames(patterns: readonly string[], options: picomatch.PicomatchOptions = OPTIONS): NameRule {
  const texts = patterns.map((pattern) => (pattern.endsWith("/") ? `${pattern}**` : pattern));
  // A write to the workspace's root directory itself (its mode, say) is allowed only if everything may be written.
  if (texts.includes("**")) return () => true;
  const matchName = matchAnyName(
    texts.flatMap((text) => ANY_PLACE.exec(text)?.[1] ?? []),
    options,
  );
  const globsByName = Map.groupBy(
    texts.filter((text) => !ANY_PLACE.test(text)),
    (text) => PLAIN_ENDING.exec(text)?.[1]?.toLowerCase(),
  );
  const always = compileGlobs(globsByName.get(undefined) ?? [], options);
  return (name) => {
    if (matchName(name)) return true;
    const matchers = [...always, ...compileGlobs(globsByName.get(name.toLowerCase()) ?? [], options)];
    return matchers.length > 0 && anyOf(matchers);
  };
}

function compileGlobs(texts: readonly string[], options: picomatch.PicomatchOptions): Matcher[] {
  return texts.map((text) => picomatch(text, options));
}

/** A name in whatever directory: only the last part of a path decides. */
const ANY_PLACE = /^\*\*\/((?!\*\*$)[^/]+)$/;
/** A path whose last part is a plain name: whatever has another name, however its letters are spelled, does not match. */
const PLAIN_ENDING = /^(?:[\w.*?/-]*\/)?([\w.-]+)$/;

/** One expression for all: most names match none of them. */
function matchAnyName(names: readonly string[], options: picomatch.PicomatchOptions): Matcher {
  if (names.length === 0) return () => false;
  const sources = names.map((name) => `(?:${picomatch.makeRe(name, options).source})`);
  const expression = new RegExp(sources.join("|"), options.flags);
  // A name may hold the characters of a pattern: it matches the pattern that is spelled as it is.
  return (name) => name !== "" && (expression.test(name) || names.includes(name));
}

function anyOf(matchers: readonly Matcher[]): Matcher {
  return (text) => matchers.some((matches) => matches(text));
}

function matchByName(rule: NameRule): Matcher {
  const decide = remember(rule);
  return (rel) => {
    const decided = decide(rel.slice(rel.lastIndexOf("/") + 1));
    return typeof decided === "boolean" ? decided : decided(rel);
  };
}

const ANSWERS_KEPT = 4096;

/** A cache for names and directories, which are looked up again and again. */
function remember<Answer extends boolean | Matcher>(ask: (text: string) => Answer): (text: string) => Answer {
  const known = new Map<string, Answer>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const decided = ask(text);
    if (known.size >= ANSWERS_KEPT) known.clear();
    known.set(text, decided);
    return decided;
  };
}

/** Whether a path or a directory above it matches. Files of one directory come one after the other: the result of the directory is cached. */
function matchWithAncestors(matches: Matcher): Matcher {
  let last = { directory: "", matches: false };
  const decide = (path: string): boolean => {
    const slash = path.lastIndexOf("/");
    if (slash > 0) {
      if (slash !== last.directory.length || !path.startsWith(last.directory)) {
        const directory = path.slice(0, slash);
        last = { directory, matches: decideDirectory(directory) };
      }
      if (last.matches) return true;
    }
    return matches(path);
  };
  const decideDirectory = remember(decide);
  return (path) => path !== "" && decide(path);
}

const LISTS_KEPT = 16;

/** A policy stays the same for many runs, tasks and checks: its lists are compiled for the first of them. */
function compileOnce(compile: (patterns: readonly string[]) => Matcher): (patterns: readonly string[]) => Matcher {
  const known = new Map<string, Matcher>();
  return (patterns) => {
    const key = JSON.stringify(patterns);
    const found = known.get(key);
    if (found) return found;
    const matcher = compile(patterns);
    if (known.size >= LISTS_KEPT) known.clear();
    known.set(key, matcher);
    return matcher;
  };
}

const matchHidden = compileOnce((patterns) => matchWithAncestors(compileHidden(patterns)));
const matchProtected = compileOnce((patterns) => matchWithAncestors(compilePatterns(patterns)));

/** An absolute path, an empty part, `.` or `..` as a part, a slash at the end, or a NUL. */
const UNUSUAL = /(?:^|\/)(?:\/|\.\.?(?:\/|$)|$)|\0/;

/** Undefined for a path outside the workspace; callers then deny it. */
function plainPath(rel: string): string | undefined {
  if (!UNUSUAL.test(rel)) return rel;
  const path = rel.replace(/\/+$/, "");
  if (rel.startsWith("/") || rel.includes("\0")) return undefined;
  if (path === "" || path === ".") return "";
  return path.split("/").some((part) => part === "" || part === "." || part === "..") ? undefined : path;
}

/** `visible`: only what these patterns name is shown, and of that nothing that the policy hides. */
export function createPathRules(policy: Pick<EffectivePolicy, "files">, visible?: readonly string[]): PathRules {
  const isShown = visible ? compileVisible(visible) : () => true;
  const isHidden = matchHidden(policy.files.hide);
  const isProtected = matchProtected(policy.files.protect);
  const matchesWrite = compilePatterns(policy.files.write);
  const rules: PathRules = {
    hidden(rel, isDirectory = false) {
      const path = plainPath(rel);
      return path === undefined || isHidden(path) || (path !== "" && !isShown(path, isDirectory));
    },
    protectedPath(rel) {
      const path = plainPath(rel);
      return path === undefined || isProtected(path);
    },
    writable(rel) {
      const path = plainPath(rel);
      return path !== undefined && matchesWrite(path) && !rules.protectedPath(rel) && !rules.hidden(rel);
    },
  };
  return rules;
}

const GLOB_CHARACTERS = /[*?[\]{}]/;
/** What git and Drydock keep in a workspace is shown to who asks for everything, or for just that. */
const ASIDE = /^\.(?:git|drydock)(?:\/|$)/;

function compileVisible(patterns: readonly string[]): (path: string, isDirectory: boolean) => boolean {
  const matchers = patterns.map((pattern) => {
    const whole = GLOB_CHARACTERS.test(pattern)
      ? [pattern]
      : [pattern.replace(/\/$/, ""), `${pattern.replace(/\/$/, "")}/**`];
    const parts = pattern
      .split("/")
      .filter(Boolean)
      .map((part) => ({ open: /\*\*|[{]/.test(part), matches: compilePatterns([part]) }));
    const leadsTo = (path: string) => {
      const names = path.split("/");
      for (const [index, name] of names.entries()) {
        const part = parts[index];
        if (part === undefined) return false;
        if (part.open) return true;
        if (!part.matches(name)) return false;
      }
      return true;
    };
    const isAsides = pattern === "**" || ASIDE.test(pattern);
    return { matches: compilePatterns(whole), leadsTo, isAsides };
  });
  return (path, isDirectory) =>
    matchers.some(
      ({ matches, leadsTo, isAsides }) =>
        (isAsides || !ASIDE.test(path)) && (matches(path) || (isDirectory && leadsTo(path))),
    );
}

/**
 * Everything that `glob` lets a run write, `ceiling` lets it write too. Decided for everything (`**`), equal strings,
 * a whole directory (`src/**` over `src/a/*.py`) and plain paths; any other pair counts as not covered.
 */
export function coversPath(ceiling: string, glob: string): boolean {
  if (ceiling === "**" || ceiling === glob) return true;
  const directory = ceiling.replace(/\/(\*\*)?$/, "");
  if (directory !== ceiling && !GLOB_CHARACTERS.test(directory)) {
    return glob === directory || glob.startsWith(`${directory}/`);
  }
  return !GLOB_CHARACTERS.test(glob) && !glob.endsWith("/") && compilePatterns([ceiling])(glob);
}

/**
 * Whether a pattern that protects or hides stops all that `entry` would let a run write: it covers the entry, or the
 * directory that the entry begins with (`src` stops `src/**`, for what is below a protected directory is protected).
 */
export function blocksEntry(pattern: string, entry: string): boolean {
  if (coversPath(pattern, entry)) return true;
  const parts = entry.split("/");
  const end = parts.findIndex((part) => part === "" || GLOB_CHARACTERS.test(part));
  const start = parts.slice(0, end < 0 ? parts.length : end).join("/");
  return start !== "" && matchProtected([pattern])(start);
}
