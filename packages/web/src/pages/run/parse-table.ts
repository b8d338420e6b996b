/** The rows of a file with values between separators, as far as they are shown. A quoted value may have line breaks. */
export function parseTable(text: string, separator: string, mostRows: number): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let value = "";
  let isQuoted = false;
  for (let at = 0; at < text.length && rows.length < mostRows; at++) {
    const char = text[at] ?? "";
    if (isQuoted) {
      if (char !== '"') value += char;
      else if (text[at + 1] === '"') value += text[++at];
      else isQuoted = false;
    } else if (char === '"' && value === "") isQuoted = true;
    else if (char === separator) {
      row.push(value);
      value = "";
    } else if (char === "\n") {
      rows.push([...row, value]);
      row = [];
      value = "";
    } else if (char !== "\r") value += char;
  }
  if (rows.length < mostRows && (value !== "" || row.length > 0)) rows.push([...row, value]);
  return rows;
}
