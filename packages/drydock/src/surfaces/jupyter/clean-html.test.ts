import { describe, expect, it } from "vitest";
import { cleanHtml } from "./clean-html.ts";

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

  it("is not shown where there is too much of it, and is read in no time whatever it is", () => {
    expect(cleanHtml("a".repeat(600_000))).toBeNull();
    for (const piece of ["<", "<a ", "<!--", "<a '", "<div>", "&", "<td x="]) {
      const long = piece.repeat(Math.floor(500_000 / piece.length));
      expect(cleanHtml(long)).not.toMatch(/<(?!\/?div>)/);
    }
  });
});
