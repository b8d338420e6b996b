export function parseLine(line, separator = ",") {
  const fields = [];
  let field = "";
  let quoted = false;
  for (let i = 0; i < line.length; i++) {
    const char = line[i];
    if (quoted) {
      if (char === '"' && line[i + 1] === '"') {
        field += '"';
        i++;
      } else if (char === '"') {
        quoted = false;
      } else {
        field += char;
      }
    } else if (char === '"' && field === "") {
      quoted = true;
    } else if (char === separator) {
      fields.push(field);
      field = "";
    } else {
      field += char;
    }
  }
  if (quoted) throw new SyntaxError("a quote is not closed");
  fields.push(field);
  return fields;
}

export function parse(text, { header = true } = {}) {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  if (!header) return lines.map((line) => parseLine(line));
  const [names = [], ...rows] = lines.map((line) => parseLine(line));
  return rows.map((row) => Object.fromEntries(names.map((name, index) => [name.trim(), row[index] ?? ""])));
}

export function format(rows) {
  const quote = (value) => (/[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
  return rows.map((row) => row.map((value) => quote(String(value))).join(",")).join("\n");
}
