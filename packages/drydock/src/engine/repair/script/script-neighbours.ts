/** Operators that are mistaken for each other, with how likely that is. */
export const OPERATOR_NEIGHBOURS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  "<": { "<=": 1, ">": 0.6, ">=": 0.6, "!==": 0.15, "===": 0.1 },
  "<=": { "<": 1, ">=": 0.6, ">": 0.6, "===": 0.1 },
  ">": { ">=": 1, "<": 0.6, "<=": 0.6, "!==": 0.15, "===": 0.1 },
  ">=": { ">": 1, "<=": 0.6, "<": 0.6, "===": 0.1 },
  "===": { "!==": 0.6, "<=": 0.25, ">=": 0.25, "<": 0.15, ">": 0.15, "==": 0.15 },
  "!==": { "===": 0.6, "<": 0.2, ">": 0.2, "!=": 0.15 },
  "==": { "!=": 0.6, "===": 0.5, "<=": 0.2, ">=": 0.2 },
  "!=": { "==": 0.6, "!==": 0.5, "<": 0.2, ">": 0.2 },
  "+": { "-": 0.8, "*": 0.4 },
  "-": { "+": 0.8, "*": 0.1, "%": 0.1 },
  "*": { "+": 0.3, "/": 0.5, "**": 0.3, "-": 0.1 },
  "/": { "*": 0.5, "%": 0.4 },
  "%": { "/": 0.4, "*": 0.2 },
  "**": { "*": 0.7 },
  "<<": { ">>": 0.9 },
  ">>": { "<<": 0.9, ">>>": 0.4 },
  ">>>": { ">>": 0.7 },
  "&": { "|": 0.8, "^": 0.5, "&&": 0.3 },
  "|": { "&": 0.8, "^": 0.5, "||": 0.3 },
  "^": { "&": 0.8, "|": 0.6, "**": 0.3 },
  in: { of: 0.1 },
};

const PAIRS: readonly (readonly [string, string])[] = (
  "startsWith endsWith|some every|toLowerCase toUpperCase|trimStart trimEnd|trim trimEnd|trim trimStart|min max|floor ceil|floor round|" +
  "ceil round|round trunc|floor trunc|indexOf lastIndexOf|padStart padEnd|shift pop|push unshift|keys values|keys entries|values entries|" +
  "map forEach|map filter|map flatMap|find filter|find findLast|find findIndex|findIndex findLastIndex|slice splice|slice substring|" +
  "replace replaceAll|match matchAll|add delete|has get|get set|add has|push concat|length size|parseInt parseFloat|sort reverse|" +
  "toSorted toReversed|getMonth getDate|getDate getDay|getHours getMinutes|getUTCMonth getUTCDate|getUTCDate getUTCDay|getFullYear getYear|" +
  "getMonth getUTCMonth|getDate getUTCDate|getHours getUTCHours|sin cos|includes indexOf|reduce reduceRight|charAt charCodeAt|" +
  "charCodeAt codePointAt|isInteger isFinite|all race|all allSettled|test exec|call apply|setMonth setDate|concat push|from of"
)
  .split("|")
  .map((pair) => pair.split(" ") as [string, string]);

/** Methods that are mistaken for each other. */
export const METHOD_NEIGHBOURS: ReadonlyMap<string, readonly string[]> = new Map(
  [...new Set(PAIRS.flat())].map((name) => [
    name,
    PAIRS.filter((pair) => pair.includes(name)).map(([left, right]) => (left === name ? right : left)),
  ]),
);
