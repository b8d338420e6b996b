/**
 * The next position of a piece of text, for queries in ascending order: the text is read once for all queries. Returns
 * the length of the text if there is no further occurrence.
 */
export function seekAhead(text: string, piece: string): (from: number) => number {
  let found = -1;
  return (from) => {
    if (found < from) found = text.indexOf(piece, from);
    if (found < 0) found = text.length;
    return found;
  };
}
