import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Where the build has put what browsers get: beside the bundle, which the sources use as well. */
const DIRECTORY = import.meta.url.endsWith(".ts")
  ? join(import.meta.dirname, "..", "..", "..", "..", "dist", "webchat")
  : join(import.meta.dirname, "webchat");

interface Page {
  html: string;
  policy: string;
  embed: string;
}

let page: Page | undefined;

/** The page of chats, which is the same for all of them, and the script that puts it into other pages. */
export function readPage(): Page {
  page ??= makePage();
  return page;
}

function makePage(): Page {
  const read = (name: string) => readFileSync(join(DIRECTORY, name), "utf8").trim();
  const [script, style, embed] = [read("chat.js"), read("chat.css"), read("embed.js")];
  return {
    embed,
    html: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Chat</title>
<style>${style}</style>
</head>
<body>
<script>${script}</script>
</body>
</html>
`,
    // Whatever an agent says: no other script runs, nothing is loaded from elsewhere, and no text becomes markup.
    policy: [
      `default-src 'none'; script-src ${hashOf(script)}; style-src ${hashOf(style)}; img-src blob:; connect-src 'self'`,
      "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    ].join("; "),
  };
}

function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
