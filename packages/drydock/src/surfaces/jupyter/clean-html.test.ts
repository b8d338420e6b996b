import fc from "fast-check";
import { parseFragment } from "parse5";
import { describe, expect, it } from "vitest";
import { cleanHtml } from "./clean-html.ts";

const NAMES =
  `script style svg math iframe td table b p div br title textarea noscript template plaintext xmp foreignObject
  annotation-xml a img form`.split(/\s+/);
const GIVEN =
  ` onclick=alert(1)| href="javascript:x"| src='x'| class="dataframe"| class='dataframe x'| colspan=2| colspan="2|
 style=x| id=x|/| '| "| =|<| >`.split("|");
const SCRAPS =
  `< </ > /> <!-- --> --!> <![CDATA[ ]]> <? <!doctype " ' = / & &lt; &#60; &#x3c;script &quot; text \0 \f \u2028 \u212a
  \u0130`.split(/\s+/);
const ELEMENTS = new Set(
  `table colgroup thead tbody tfoot tr th td caption div span p b i em strong u s sub sup small br hr pre code ul ol li dl dt dd
  blockquote h1 h2 h3 h4 h5 h6 #text`.split(/\s+/),
);
const ATTRIBUTE = /^((col|row)span=\d{1,4}|border=\d|class=dataframe)$/;

/** What a browser would make of it: the names of its elements, and their attributes. */
function readAsBrowser(html: string): { names: string[]; attributes: string[] } {
  const names: string[] = [];
  const attributes: string[] = [];
  const left = [...parseFragment(html).childNodes];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    names.push(node.nodeName);
    if ("attrs" in node) attributes.push(...node.attrs.map(({ name, value }) => `${name}=${value}`));
    if ("childNodes" in node) left.push(...node.childNodes);
  }
  return { names, attributes };
}

describe("HTML that a cell made", () => {
  it("is shown where it is a table or words", () => {
    const table =
      '<table border="1" class="dataframe"><thead><tr><th colspan="2">a &amp; b</th></tr></thead><tbody><tr><td>1</td></tr></tbody></table>';
    expect(cleanHtml(table)).toBe(table);
    expect(cleanHtml("<p>one<br>two</p>")).toBe("<p>one<br>two</p>");
  });

  it.each([
    ["a script", "a<script>fetch('/api/terminals',{method:'POST'})</script>b", "ab"],
    ["a script without end", "a<script>alert(1)", "a"],
    ["a script in capitals", "a<SCRIPT>alert(1)</ScRiPt>b", "ab"],
    ["a handler", '<div onclick="alert(1)" class="x">a</div>', "<div>a</div>"],
    ["a picture's handler", "<img src=x onerror=alert(1)>a", "a"],
    ["a link", '<a href="javascript:alert(1)">a</a>', "a"],
    ["a command of the notebook's own", '<b data-commandlinker-command="terminal:create-new">a</b>', "<b>a</b>"],
    ["a style", "<style scoped>td { color: red }</style><p style='position:fixed'>a</p>", "<p>a</p>"],
    ["a drawing with a script", "<svg><script>alert(1)</script></svg>a", "a"],
    ["a frame", "<iframe srcdoc='<script>alert(1)</script>'></iframe>a", "&lt;iframe srcdoc=''&gt;a"],
    ["a form", "<form action=/api><input type=submit></form>", ""],
    ["a tag within a tag", "<scr<b>ipt>alert(1)</b>", "&lt;scr<b>ipt&gt;alert(1)</b>"],
    ["half a tag", "a < b <td", "a &lt; b &lt;td"],
    ["a comment that hides its end", "<!--><img onerror=alert(1)>-->a", "a"],
    ["an end that was never begun", "</div></div>a", "a"],
    ["no end", "<table><tr><td>a", "<table><tr><td>a</td></tr></table>"],
    ["ends out of order", "<div><p>a</div>b</p>", "<div><p>a</p></div>b"],
    ["an end of the inner one", "<div><div>a</div>b</div>", "<div><div>a</div>b</div>"],
    ["an attribute that breaks out", `<td colspan='1" onclick="alert(1)'>a</td>`, "<td>a</td>"],
  ])("can do nothing: %s", (_name, html, shown) => {
    expect(cleanHtml(html)).toBe(shown);
  });

  it("is for a browser nothing but words and tables, whatever it was", () => {
    const tag = fc
      .tuple(
        fc.constantFrom("<", "<", "</"),
        fc.constantFrom(...NAMES),
        fc.array(fc.constantFrom(...GIVEN), { maxLength: 3 }),
      )
      .map(([begin, name, given]) => `${begin}${name}${given.join("")}>`);
    const part = fc.oneof({ weight: 3, arbitrary: tag }, fc.constantFrom(...SCRAPS), fc.string({ maxLength: 5 }));
    const markup = fc.array(part, { maxLength: 20 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(markup, (html) => {
        const { names, attributes } = readAsBrowser(cleanHtml(html) ?? "");
        expect(names.filter((name) => !ELEMENTS.has(name))).toEqual([]);
        expect(attributes.filter((attribute) => !ATTRIBUTE.test(attribute))).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });

  it("leaves out long tags and comments as it does short ones", () => {
    const long = "A".repeat(100_000);
    expect(cleanHtml(`a<img src="data:image/png;base64,${long}">b<!-- ${long} -->c`)).toBe("abc");
    expect(cleanHtml(`<td title="${long}" colspan="2">a</td>`)).toBe("<td>a</td>");
  });

  it("is not shown where there is too much of it, and is read in no time whatever it is", () => {
    expect(cleanHtml("a".repeat(600_000))).toBeNull();
    for (const piece of ["<", "<a ", "<!--", "<a '", "<div>", "&", "<td x=", "<!--x", "<!-", "</", "<td a"]) {
      const long = piece.repeat(Math.floor(500_000 / piece.length));
      expect(cleanHtml(long)).not.toMatch(/<(?!\/?div>)/);
    }
    for (const beginning of ["<!--", "<a", "<a ", "<td a='"]) {
      expect(cleanHtml(beginning + "b".repeat(500_000))).not.toContain("<");
      expect(cleanHtml(`${beginning}${"b".repeat(500_000)}>`)).not.toMatch(/<(?!\/?td>)/);
    }
  });
});
