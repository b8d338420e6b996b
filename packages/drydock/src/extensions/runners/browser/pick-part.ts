import type { CapabilityCall } from "../../ports.ts";

interface Page {
  title: string;
  text: string;
  links: readonly { text: string; href: string }[];
}

/** What an action gives of a page: by its value `only` one part of it, else all. */
export function pickPart({ only }: CapabilityCall["values"], page: Page): { content: string; mime: string } {
  if (only === "text") {
    return { content: `${[page.title, page.text].filter(Boolean).join("\n\n")}\n`, mime: "text/plain" };
  }
  return { content: JSON.stringify(partOf(page, only), null, 2), mime: "application/json" };
}

function partOf(page: Page, only: unknown): unknown {
  if (only === "links") return page.links;
  const { text, links, ...rest } = page;
  return only === "screenshot" ? rest : page;
}
