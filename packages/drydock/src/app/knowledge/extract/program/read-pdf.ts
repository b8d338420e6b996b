import { getDocumentProxy } from "unpdf";

const MAX_PAGES = 5000;

interface Part {
  text: string;
  page: number;
}

/** The text of each page. Scripts in the file are never run: the library does not know them. */
export async function readPdf(content: Uint8Array): Promise<Part[]> {
  const document = await getDocumentProxy(new Uint8Array(content), { verbosity: 0 });
  if (document.numPages > MAX_PAGES) throw new Error(`it has more than ${MAX_PAGES} pages`);
  const parts: Part[] = [];
  for (let page = 1; page <= document.numPages; page++) {
    const opened = await document.getPage(page);
    const { items } = await opened.getTextContent();
    const text = items.map((item) => ("str" in item ? item.str + (item.hasEOL ? "\n" : "") : "")).join("");
    if (text.trim() !== "") parts.push({ text, page });
    opened.cleanup();
  }
  return parts;
}
