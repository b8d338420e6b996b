import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const FRONT = `<!doctype html><title>A page &amp; more</title>
<style>body { margin: 0; background: rgb(10, 200, 30) } #block { width: 100px; height: 100px; background: rgb(200, 0, 50) }</style>
<div id="block"></div>
<p>What is seen.</p><p style="display: none">What is not seen.</p>
<a href="/one">The first</a> <a href="https://elsewhere.example/two?x=1">The second</a> <a href="/three" title="Named by its title"></a>
<img src="http://pictures.example:8080/x.png"><script src="https://scripts.example/x.js"></script>
<iframe src="file:///etc/passwd"></iframe>
<script>
  alert("look here");
  if (confirm("really?") || prompt("who?")) document.body.append("answered");
  window.open("/popup");
  location.assign("file:///etc/passwd");
  Document.prototype.querySelectorAll = () => [];
  Object.defineProperty(Document.prototype, "title", { get: () => "a lie" });
</script>`;

const LONG = `<!doctype html><title>Long</title><style>body { margin: 0 }</style>
<div style="height: 3000px">${"<a href='/x'>x</a> ".repeat(600)}</div>
<div style="height: 50px; background: blue"></div><p>${"ä".repeat(150_000)}</p>`;

const PAGES: Record<string, string> = {
  "/": FRONT,
  "/popup": "<title>popup</title>",
  "/long": LONG,
  "/hanging": "<!doctype html><title>Hanging</title><p>The part that came.<img src=/never>",
  "/busy":
    "<!doctype html><title>Busy</title><p>Before the loop.<script>setTimeout(() => { while (true); }, 0)</script>",
  "/leads-on": "<!doctype html><title>First</title><script>location.replace('/later')</script>",
  "/later":
    "<!doctype html><title>Later</title><p id=p>not yet<script>fetch('/data').then(r => r.text()).then(t => { p.textContent = t })</script>",
};

export interface Site {
  host: string;
  url(path: string): string;
  /** Paths that were asked for. */
  asked: string[];
  close(): Promise<void>;
}

/** Pages of every kind, on loopback. */
export async function openSite(): Promise<Site> {
  const requests: string[] = [];
  const server: Server = createServer((request, response) => {
    requests.push(request.url ?? "");
    answer(request.url ?? "", response);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    url: (path) => `http://${host}${path}`,
    asked: requests,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

function answer(path: string, response: ServerResponse): void {
  if (path === "/never") return;
  if (path === "/away") return void response.writeHead(302, { Location: "http://other.example/landing" }).end();
  if (path === "/file") return void response.writeHead(302, { Location: "file:///etc/passwd" }).end();
  if (path === "/data") return void setTimeout(() => response.end("came late"), 200);
  if (path === "/download") {
    return void response.writeHead(200, { "Content-Disposition": "attachment; filename=x.bin" }).end("bytes");
  }
  const page = PAGES[path];
  response.writeHead(page === undefined ? 404 : 200, { "Content-Type": "text/html; charset=utf-8" });
  response.end(page ?? "<title>Not here</title><p>Nothing here.");
}
