/** What is wrong with YAML text, in words for people who do not know the specification, and what to do. */
export interface YamlExplanation {
  message: string;
  hint: string;
}

const EXPLAINED: Readonly<Record<string, readonly [message: string, hint: string]>> = {
  TAB_AS_INDENT: ["a tab is used for indentation", "Replace the tab with spaces: YAML allows no tabs there."],
  DUPLICATE_KEY: ["this key is there twice", "Keep one of the two."],
  BLOCK_AS_IMPLICIT_KEY: [
    "there are two keys in one line, or a line is indented too far",
    'Write each "key: value" on its own line, indented like its neighbours. Put a value that contains ": " in quotes.',
  ],
  MULTILINE_IMPLICIT_KEY: ["there is no colon after a key", 'Write each line as "key: value".'],
  BAD_INDENT: [
    "the indentation does not match the lines around it",
    "Indent keys of one map by the same number of spaces.",
  ],
  BAD_ALIAS: ["a value can't start with * or & here", "Put the value in quotes."],
  BAD_DQ_ESCAPE: ["a backslash in double quotes is followed by the wrong character", "Use single quotes instead."],
  MISSING_CHAR: ["there is no colon after a key, or no comma between entries", 'Write each line as "key: value".'],
  MULTIPLE_DOCS: ["there is a second YAML document", "Keep one document in the file: remove the line ---."],
  TAG_RESOLVE_FAILED: ["the tag (a word that starts with !) is unknown", "Remove the tag, or put the value in quotes."],
  RESOURCE_EXHAUSTION: ["it is nested too deeply", "Make it flatter."],
};

/** `code` and `message` are those of the parser's error. */
export function explainYamlError({ code, message }: { code?: string; message: string }): YamlExplanation {
  const open = /must (?:be sufficiently indented and )?end with a ([\]}])/.exec(message)?.[1];
  const quote = /Missing closing (["'])/.exec(message)?.[1];
  const start = /cannot start with .*character (\S)/.exec(message)?.[1];
  const [what, hint] = open
    ? [`the ${open === "]" ? "list" : "map"} has no closing ${open}`, `Add ${open} where it ends.`]
    : quote
      ? [`the text has no closing ${quote}`, `Add ${quote} where it ends.`]
      : start
        ? [`a value can't start with ${start}`, "Put the value in quotes."]
        : (EXPLAINED[code ?? ""] ?? ["this line can't be read", 'Write each line as "key: value".']);
  return { message: `not valid YAML: ${what}`, hint };
}
