/**
 * Where a piece of text comes next, for places that are asked for in ascending order: the text is read once, however many
 * places there are. The length of the text: it does not come again.
 */
export function seekAhead(text: string, piece: string): (from: number) => number {
  let found = -1;
  return (from) => {
    if (found < from) found = text.indexOf(piece, from);
    if (found < 0) found = text.length;
    return found;
  };
}
