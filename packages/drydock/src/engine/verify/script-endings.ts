/** Endings by which Node and its tools find a module that is asked for without one. */
export const SCRIPT_ENDINGS: readonly string[] = "js mjs cjs ts mts cts jsx tsx json node".split(" ");
