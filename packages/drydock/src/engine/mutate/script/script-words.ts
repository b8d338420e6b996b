/** What each operator or method of JavaScript is replaced by. */
export const ARITHMETIC: Readonly<Record<string, readonly string[]>> = {
  "+": ["-"],
  "-": ["+"],
  "*": ["/"],
  "/": ["*"],
  "%": ["*"],
  "**": ["*"],
  "<<": [">>"],
  ">>": ["<<"],
  ">>>": [">>"],
  "&": ["|"],
  "|": ["&"],
  "^": ["&"],
};

export const COMPARISON: Readonly<Record<string, readonly string[]>> = {
  "<": ["<=", ">="],
  "<=": ["<", ">"],
  ">": [">=", "<="],
  ">=": [">", "<"],
  "==": ["!="],
  "!=": ["=="],
  "===": ["!=="],
  "!==": ["==="],
};

export const LOGICAL: Readonly<Record<string, string>> = { "&&": "||", "||": "&&", "??": "&&" };

export const ASSIGNMENT: Readonly<Record<string, string>> = {
  "+=": "-=",
  "-=": "+=",
  "*=": "/=",
  "/=": "*=",
  "%=": "*=",
  "**=": "*=",
  "<<=": ">>=",
  ">>=": "<<=",
  "&=": "|=",
  "|=": "&=",
  "&&=": "||=",
  "||=": "&&=",
  "??=": "&&=",
};

const PAIRS = [
  ["startsWith", "endsWith"],
  ["some", "every"],
  ["toLowerCase", "toUpperCase"],
  ["toLocaleLowerCase", "toLocaleUpperCase"],
  ["trimStart", "trimEnd"],
  ["min", "max"],
  ["floor", "ceil"],
  ["indexOf", "lastIndexOf"],
  ["padStart", "padEnd"],
  ["shift", "pop"],
  ["push", "unshift"],
  ["keys", "values"],
] as const;

/** Methods that change places with another one. */
export const SWAPPED_METHODS: ReadonlyMap<string, string> = new Map(
  PAIRS.flatMap(([left, right]) => [
    [left, right],
    [right, left],
  ]),
);

/** Methods whose call is replaced by what it was called on. */
export const DROPPED_METHODS: ReadonlySet<string> = new Set(
  "trim filter slice sort toSorted reverse toReversed substring substr charAt".split(" "),
);

/** Classes of characters in regular expressions, each with its opposite. */
export const REGEX_CLASSES: Readonly<Record<string, string>> = {
  "\\d": "\\D",
  "\\D": "\\d",
  "\\w": "\\W",
  "\\W": "\\w",
  "\\s": "\\S",
  "\\S": "\\s",
  "\\b": "\\B",
};
