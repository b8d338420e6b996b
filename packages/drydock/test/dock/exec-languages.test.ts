import { describe, expect, it } from "vitest";
import { openTestDock } from "../testing/test-dock.ts";

const test = openTestDock();

describe("Node", () => {
  it.each([
    ["the last expression", "const a = 20; a + 1", 21],
    ["the variable `result`", "const result = { a: [1, null] }; 5", { a: [1, null] }],
    ["an awaited expression's variable", "const result = await Promise.resolve(7);", 7],
    ["an ES module import", "import { basename } from 'node:path';\nconst result = basename('/a/b.txt');", "b.txt"],
    ["a default export", "export default { x: 1 }", { x: 1 }],
    ["a dynamic import", "const { sep } = await import('node:path');\nconst result = sep", "/"],
    ["require", "require('node:path').join('a', 'b')", "a/b"],
    ["a promise as the last expression", "Promise.resolve('later')", "later"],
    ["nothing", "let x = 1;", null],
  ])("gives %s", async (_name, code, result) => {
    const run = await test.node(code);
    expect(run.error).toBeNull();
    expect(run.result).toEqual(result);
    expect(run.stdout).toBe("");
  });

  it("shows what JSON can't hold", async () => {
    expect((await test.node("new Map([[1, 2]])")).result).toEqual({ type: "Map", repr: "Map(1) { 1 => 2 }" });
    expect((await test.node("10n")).result).toMatchObject({ repr: "10n" });
    expect((await test.node("const a = {}; a.a = a; a")).result).toMatchObject({ type: "Object" });
  });

  it("tells exceptions with their line, rejections too", async () => {
    const thrown = await test.node("\nfunction f() { throw new TypeError('no good') }\nf()");
    expect(thrown.error).toMatchObject({ code: "code.exception", line: 2 });
    expect(thrown.stderr).toContain("TypeError: no good");
    expect((await test.node("Promise.reject(new Error('unhandled'))")).error?.message).toContain("unhandled");
    const later = await test.node("setTimeout(() => { throw new RangeError('late') }, 5); 1");
    expect(later.error).toMatchObject({ code: "code.exception" });
    expect((await test.node("throw 'a string'")).error?.code).toBe("code.exception");
    expect((await test.node("throw null")).error?.code).toBe("code.exception");
  });

  it("tells a syntax error with its line", async () => {
    expect((await test.node("let a = 1;\nlet b = ;")).error).toMatchObject({ code: "code.syntax", line: 2 });
    expect((await test.node("await 1;\nlet b = ;")).error).toMatchObject({ code: "code.syntax" });
  });

  it("tells a module that is not there", async () => {
    for (const code of ["require('left-pad')", "import x from 'left-pad'", "await import('left-pad')"]) {
      const run = await test.node(code);
      expect(run.error).toMatchObject({ code: "code.import_missing" });
      expect(run.error?.message).toContain("left-pad");
    }
  });

  it("ends with the status it chose", async () => {
    expect((await test.node("process.exit(3)")).error).toMatchObject({ code: "code.exit", exitCode: 3 });
    expect((await test.node("process.exitCode = 4")).error).toMatchObject({ code: "code.exit", exitCode: 4 });
    expect(await test.node("process.exit(0)")).toMatchObject({ ok: true });
    expect((await test.node("process.abort()")).error).toMatchObject({ code: "code.crash" });
  });

  it("waits for its timers, and gets its arguments and files", async () => {
    const run = await test.node(
      "setTimeout(() => { console.log(process.argv.slice(1).join()); require('node:fs').writeFileSync('a.json', '{}') }, 20)",
      { filename: "job.js", args: ["--x", "1"] },
    );
    expect(run).toMatchObject({ ok: true, stdout: "job.js,--x,1\n", changes: [{ path: "a.json", kind: "added" }] });
  });

  it("imports modules of the workspace", async () => {
    const workspace = test.makeWorkspace({ "lib.mjs": "export const a = 41;", "old.js": "module.exports = { b: 1 }" });
    expect((await test.node("import { a } from './lib.mjs';\nconst result = a + 1", { workspace })).result).toBe(42);
    expect((await test.node("require('./old.js').b", { workspace })).result).toBe(1);
  });
});

describe("bash", () => {
  it("runs pipes, functions and arithmetic, with arguments", async () => {
    const run = await test.bash("f() { printf '%s\\n' b a c | sort | head -n $((1 + 1)); }; f; echo $1", {
      args: ["one", "two"],
    });
    expect(run).toMatchObject({ ok: true, result: null, stdout: "a\nb\none\n" });
  });

  it.each([
    ["exit 9", 9],
    ["false", 1],
    ["set -e; false; echo never", 1],
    ["set -o pipefail; false | true", 1],
    ["no_such_command_here", 127],
    ["echo ls > f; ./f", 126],
  ])("%s", async (code, exitCode) => {
    expect((await test.bash(code)).error).toMatchObject({ code: "code.exit", exitCode });
  });

  it("says what a missing command is, and that a killed one was killed", async () => {
    expect((await test.bash("no_such_command_here")).error?.hint).toContain("127");
    expect((await test.bash("kill -SEGV $$")).error).toMatchObject({ code: "code.crash" });
  });

  it("has the interpreters of the dock, and no tools of the host's user", async () => {
    const run = await test.bash("python3 -c 'print(6 * 7)'; node -e 'console.log(6 * 8)'; echo $HOME; pwd; id -u");
    expect(run.stdout).toBe("42\n48\n/home/dock\n/work\n1000\n");
  });

  it("runs the code, whatever it begins with, and never its input", async () => {
    expect(await test.bash("", { stdin: "echo from the input" })).toMatchObject({ ok: true, stdout: "" });
    expect((await test.bash("-x")).error).toMatchObject({ code: "code.exit", exitCode: 127 });
    expect((await test.bash("echo $0", { filename: "job.sh" })).stdout).toBe("job.sh\n");
  });

  it("runs code of more than one argument's size", async () => {
    const run = await test.bash(`${"# filler filler filler filler\n".repeat(8000)}echo end`);
    expect(run).toMatchObject({ ok: true, stdout: "end\n" });
  });
});

describe("a command", () => {
  it("runs with its arguments, uninterpreted", async () => {
    const run = await test.dock.exec({ command: ["python3", "-c", "import sys; print(sys.argv[1:])", "$HOME", "a b"] });
    expect(run).toMatchObject({ ok: true, stdout: "['$HOME', 'a b']\n" });
  });

  it("ends with its own status, reads input, and works on the workspace", async () => {
    const workspace = test.makeWorkspace({ "a.txt": "one\ntwo\n" });
    expect(await test.dock.exec({ command: ["grep", "-c", "o", "a.txt"], workspace })).toMatchObject({ stdout: "2\n" });
    const failed = await test.dock.exec({ command: ["grep", "zzz", "a.txt"], workspace });
    expect(failed.error).toMatchObject({ code: "code.exit", exitCode: 1 });
    expect(await test.dock.exec({ command: ["cat"], stdin: "hello" })).toMatchObject({ ok: true, stdout: "hello" });
  });

  it("needs no list: the sandbox is what bounds it", async () => {
    expect(await test.dock.exec({ command: ["echo", "hi"] })).toMatchObject({ ok: true, stdout: "hi\n" });
    expect(await test.dock.exec({ command: ["sh", "-c", "echo $((6 * 7))"] })).toMatchObject({ stdout: "42\n" });
  });

  const policy = { commands: { allow: ["ls", "npm test", "git diff *"] } };

  it("that is not on the list is refused by name, and recorded", async () => {
    const run = await test.dock.exec({ command: ["curl", "http://localhost"], policy });
    expect(run).toMatchObject({ ok: false, error: { code: "policy.command_denied", command: "curl" } });
    expect(run.error?.hint).toContain(
      "Allowed are: ls, npm test, git diff *. The request's own policy sets commands.allow",
    );
    expect((await test.dock.runs.get(run.runId)).status).toBe("failed");
  });

  it("that is on the list with its arguments is refused with others", async () => {
    expect((await test.dock.exec({ command: ["npm", "install"], policy })).error?.code).toBe("policy.command_denied");
    expect((await test.dock.exec({ command: ["git", "push"], policy })).error?.code).toBe("policy.command_denied");
  });

  it("that is denied is refused by any path to it, in bash code as well", async () => {
    const denying = { commands: { deny: ["curl", "git push *"] } };
    for (const command of [["curl"], ["/usr/bin/curl", "x"], ["git", "push", "origin"]]) {
      expect((await test.dock.exec({ command, policy: denying })).error?.code).toBe("policy.command_denied");
    }
    const run = await test.bash("echo a\ntimeout 5 curl x", { policy: denying });
    expect(run.error).toMatchObject({ code: "policy.command_denied", line: 2 });
    expect(await test.bash("echo a | sed s/a/b/", { policy: denying })).toMatchObject({ ok: true, stdout: "b\n" });
  });

  it("that is allowed and not there says so", async () => {
    const run = await test.dock.exec({ command: ["pytest-that-is-not", "x"], policy: { commands: { allow: [] } } });
    expect(run.error?.code).toBe("policy.command_denied");
  });
});

it("code in every language finds the workspace's files by their relative paths", async () => {
  const workspace = test.makeWorkspace({ "x.txt": "found" });
  expect((await test.node('require("node:fs").readFileSync("x.txt", "utf8")', { workspace })).result).toBe("found");
  expect((await test.python('open("x.txt").read()', { workspace })).result).toBe("found");
  expect((await test.bash("cat x.txt", { workspace })).stdout).toBe("found");
});

it("Python finds the libraries that setup installs, also under the strict guard", async () => {
  const code = `import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

class Page(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"<ul><li>one</li><li>two</li></ul>")
    def log_message(self, *args): pass

server = HTTPServer(("127.0.0.1", 0), Page)
threading.Thread(target=server.serve_forever, daemon=True).start()
url = f"http://127.0.0.1:{server.server_port}/"
import bs4, httpx, lxml.html, requests
pages = [requests.get(url).text, httpx.get(url, trust_env=False).text]
[[li.text for li in bs4.BeautifulSoup(pages[0], "lxml").select("li")], lxml.html.fromstring(pages[1]).xpath("//li/text()")]`;
  expect(await test.python(code)).toMatchObject({
    ok: true,
    result: [
      ["one", "two"],
      ["one", "two"],
    ],
  });
  const strict = { policy: { python: { guard: "strict" as const } } };
  expect(await test.python("import bs4, httpx, lxml.html, requests\n1", strict)).toMatchObject({ ok: true, result: 1 });
});
