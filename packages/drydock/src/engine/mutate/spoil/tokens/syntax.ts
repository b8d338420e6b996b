/** What has to be known of a language to read its tokens. */
export interface Syntax {
  /** How comments to the end of a line begin. */
  comments: readonly string[];
  block?: readonly [open: string, close: string];
  /** Single quotes hold one character, not a string. */
  hasCharacters: boolean;
  /** Lines that begin with `#` belong to a preprocessor. */
  hasPreprocessor?: boolean;
  /** Calls need no parentheses, and conditions may stand behind what they guard. */
  isLoose?: boolean;
  /** A variable's name may stand in a string: what is added to the string must not become a part of it. */
  interpolates?: boolean;
  not: string;
}

const C: Syntax = { comments: ["//"], block: ["/*", "*/"], hasCharacters: true, not: "!" };
const PREPROCESSED: Syntax = { ...C, hasPreprocessor: true };
const INTERPOLATED: Syntax = { ...C, interpolates: true };
const QUOTED: Syntax = { ...INTERPOLATED, hasCharacters: false };
const LOOSE: Syntax = { comments: ["#"], hasCharacters: false, isLoose: true, interpolates: true, not: "!" };
const LUA: Syntax = { comments: ["--"], block: ["--[[", "]]"], hasCharacters: false, not: "not " };

const BY_ENDING: readonly (readonly [endings: string, syntax: Syntax])[] = [
  ["c h cc cpp cxx c++ hpp hh hxx m mm cu", PREPROCESSED],
  ["go rs java cs zig d", C],
  ["kt kts scala swift", INTERPOLATED],
  ["dart groovy", QUOTED],
  ["php", { ...QUOTED, comments: ["//", "#"] }],
  ["rb pl pm t ex exs cr", LOOSE],
  ["lua", LUA],
];
const SYNTAXES = new Map(BY_ENDING.flatMap(([endings, syntax]) => endings.split(" ").map((each) => [each, syntax])));
const INTERPRETERS = /^#!.*\b(?:perl|ruby)\b/;

/** Null: a language that is not known here. */
export function syntaxOf(path: string, text: string): Syntax | null {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  if (dot > 0) return SYNTAXES.get(name.slice(dot + 1).toLowerCase()) ?? null;
  return INTERPRETERS.test(text) ? LOOSE : null;
}
