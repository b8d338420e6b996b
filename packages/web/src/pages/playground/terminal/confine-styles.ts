/*
 * The terminal's library writes its rules into style elements and into style attributes, both of which the page's policy refuses.
 * Its style elements become stand-ins: what is written into one is a style sheet that the page adopts. A style attribute of a span is
 * set property by property. The policy allows both: no text is parsed as markup.
 */

/** Runs what makes style elements, and gives it stand-ins. */
export function withStandIns<T>(page: Document, act: () => T): T {
  const create = page.createElement;
  Object.defineProperty(page, "createElement", {
    configurable: true,
    value: (tag: string) => (tag === "style" ? createStandIn(page) : create.call(page, tag)),
  });
  try {
    return act();
  } finally {
    Reflect.deleteProperty(page, "createElement");
  }
}

/** From here on, `span.setAttribute("style", …)` sets properties. Nothing else in the console sets that attribute. */
export function confineSpans(): void {
  const setAttribute = Element.prototype.setAttribute;
  Object.defineProperty(HTMLSpanElement.prototype, "setAttribute", {
    configurable: true,
    value(this: HTMLSpanElement, name: string, value: string) {
      if (name === "style") this.style.cssText = value;
      else setAttribute.call(this, name, value);
    },
  });
}

function createStandIn(page: Document): HTMLElement {
  const element = page.createElement("template");
  const sheet = new CSSStyleSheet();
  page.adoptedStyleSheets = [...page.adoptedStyleSheets, sheet];
  Object.defineProperty(element, "textContent", { set: (rules: string) => sheet.replaceSync(rules) });
  element.remove = () => {
    page.adoptedStyleSheets = page.adoptedStyleSheets.filter((each) => each !== sheet);
    Element.prototype.remove.call(element);
  };
  return element;
}
