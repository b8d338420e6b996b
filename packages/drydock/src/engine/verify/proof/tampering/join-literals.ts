const JOINED = /(['"])([\w$.:-]*)\1\s*\+\s*(['"])([\w$.:-]*)\3/g;
const LISTED = /\[\s*((['"])[\w$.:-]*\2(?:\s*,\s*(['"])[\w$.:-]*\3)*)\s*,?\s*\]\.join\(\s*(['"`])\4\s*\)/g;

/** Source with names put together that were written in pieces. */
export function joinLiterals(text: string): string {
  const listed = text.replace(LISTED, (_, pieces: string) => `'${pieces.replace(/[\s'",]/g, "")}'`);
  const joined = listed.replace(JOINED, "$1$2$4$1");
  return joined === text ? text : joinLiterals(joined);
}
