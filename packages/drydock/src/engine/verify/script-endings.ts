/** Extensions that Node and its tools try for an import without one. */
export const SCRIPT_ENDINGS: readonly string[] = "js mjs cjs ts mts cts jsx tsx json node".split(" ");
