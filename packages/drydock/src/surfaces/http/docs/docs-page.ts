import { createHash } from "node:crypto";
import { DOCS_SCRIPT } from "./docs-script.ts";

const STYLE = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { margin-bottom: 0; } h2 { margin: 2rem 0 .5rem; text-transform: capitalize; }
.operation { border: 1px solid #8884; border-radius: 6px; margin: .4rem 0; padding: .4rem .8rem; }
.operation > summary { cursor: pointer; display: flex; gap: .8rem; align-items: baseline; flex-wrap: wrap; }
summary b { font: 600 .8rem ui-monospace, monospace; min-width: 4rem; }
b.get { color: #2b7a4b; } b.post { color: #2a63b8; } b.delete { color: #b3372f; }
label { display: grid; grid-template-columns: 12rem 1fr; gap: .6rem; margin: .5rem 0; align-items: start; }
input, textarea { font: .9rem ui-monospace, monospace; padding: .3rem; width: 100%; box-sizing: border-box; }
button { padding: .3rem 1rem; margin: .4rem 0; } pre { overflow: auto; max-height: 30rem; background: #8881; padding: .6rem; }
`;

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Drydock API</title>
<style>${STYLE}</style>
</head>
<body>
<h1>Drydock API</h1>
<p>Version <span id="version"></span>. The description in full: <a href="openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
<label><span>Token</span><input id="token" type="password" autocomplete="off" placeholder="from DRYDOCK_HOME/http-token"></label>
<div id="operations">…</div>
<script>${DOCS_SCRIPT}</script>
</body>
</html>
`;

const hashOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** One page without external resources; its policy lets it connect to this server only. */
export function answerDocs(): Response {
  return new Response(PAGE, {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": `default-src 'none'; connect-src 'self'; script-src ${hashOf(DOCS_SCRIPT)}; style-src ${hashOf(STYLE)}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
    },
  });
}
