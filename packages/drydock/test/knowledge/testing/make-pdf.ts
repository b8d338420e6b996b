/** A PDF with a line of text on each page. */
export function makePdf(pages: readonly string[]): Buffer {
  const kids = pages.map((_, index) => `${4 + index * 2} 0 R`).join(" ");
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ...pages.flatMap((text, index) => {
      const stream = `BT /F1 12 Tf 50 700 Td (${text}) Tj ET`;
      const resources = "/Resources << /Font << /F1 3 0 R >> >>";
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents ${5 + index * 2} 0 R ${resources} >>`,
        toStream(Buffer.from(stream), ""),
      ];
    }),
  ];
  return writeObjects(objects);
}

export function toStream(content: Buffer, dictionary: string): string {
  return `<< ${dictionary} /Length ${content.length} >>\nstream\n${content.toString("latin1")}\nendstream`;
}

/** Numbered from 1; the first is the catalogue. */
export function writeObjects(objects: readonly string[]): Buffer {
  let text = "%PDF-1.4\n";
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const head = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`;
  const end = `trailer << /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`;
  return Buffer.from(text + head + table + end, "latin1");
}
