import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Check, CheckVerdict } from "@drydock/protocol";
import { describe, expect, it } from "vitest";
import { openTestDock } from "../testing/test-dock.ts";
import { type Files, judge, judgeOne, POLICY } from "./judge.ts";

const test = openTestDock({ policy: "network: { allow: ['127.0.0.1:*', 'localhost:*'], upstreams: [] }\n" });
const SERVE = "python3 -m http.server 8123 --bind 127.0.0.1";

const files: Files = {
  "main.py": "def add(a, b):\n    return a + b\n",
  "data/größe 1.txt": "Grüße, Welt\r\n",
  "report.json": '{"total": 3, "rows": [1, 2]}',
  "link.txt": ["main.py"],
};

describe("checks on a tree", () => {
  const cases: [check: Check, verdict: string, code: string][] = [
    [{ type: "file_exists", path: "main.py" }, "passed", "passed"],
    [{ type: "file_exists", path: "data" }, "passed", "passed"],
    [{ type: "file_exists", path: "data/größe 1.txt" }, "passed", "passed"],
    [{ type: "file_exists", path: "link.txt" }, "passed", "passed"],
    [{ type: "file_exists", path: "other.py" }, "failed", "missing"],
    [{ type: "file_absent", path: "other.py" }, "passed", "passed"],
    [{ type: "file_absent", path: "no/such/dir" }, "passed", "passed"],
    [{ type: "file_absent", path: "main.py" }, "failed", "present"],
    [{ type: "file_absent", path: "link.txt" }, "failed", "present"],
    [{ type: "file_contains", path: "data/größe 1.txt", needle: "Grüße" }, "passed", "passed"],
    [{ type: "file_contains", path: "main.py", needle: "sub" }, "failed", "not_found"],
    [{ type: "file_contains", path: "data", needle: "x" }, "failed", "not_a_file"],
    [{ type: "file_contains", path: "link.txt", needle: "def add" }, "passed", "passed"],
    [{ type: "file_matches", path: "main.py", pattern: "^\\s+return a \\+ b$" }, "passed", "passed"],
    [{ type: "file_matches", path: "main.py", pattern: "return a - b" }, "failed", "no_match"],
    [{ type: "file_matches", path: "main.py", pattern: "(" }, "failed", "invalid_pattern"],
    [{ type: "unchanged", paths: ["**"] }, "refused", "nothing_to_compare"],
    [{ type: "command", cmd: "python3 -c 'import main; assert main.add(1, 2) == 3'" }, "passed", "passed"],
    [{ type: "command", cmd: "python3 -c 'import sys; sys.exit(3)'" }, "failed", "exit_code"],
    [{ type: "command", cmd: "python3 -c 'import sys; sys.exit(3)'", expect_exit_code: 3 }, "passed", "passed"],
    [{ type: "command", cmd: "python3 -c 'while True: pass'", timeout: 1 }, "failed", "timeout"],
    [{ type: "command_contains", cmd: "python3 -c 'print(6*7); exit(1)'", needle: "42" }, "failed", "exit_code"],
    [{ type: "command_contains", cmd: "ls nowhere", needle: "nowhere" }, "failed", "exit_code"],
    [{ type: "command_contains", cmd: "ls nowhere", needle: "nowhere", expect_exit_code: 2 }, "passed", "passed"],
    [{ type: "command_contains", cmd: "ls", needle: "nowhere" }, "failed", "not_found"],
    [{ type: "json_schema", path: "report.json", schema: { required: ["total"] } }, "passed", "passed"],
    [{ type: "json_schema", path: "report.json", schema: { required: ["sum"] } }, "failed", "schema_mismatch"],
    [{ type: "json_schema", path: "main.py", schema: true }, "failed", "invalid_json"],
    [{ type: "json_schema", path: "report.json", schema: { type: "objekt" } }, "failed", "invalid_schema"],
    [{ type: "python", expression: "tree.json('report.json')['total'] == 3" }, "passed", "passed"],
    [{ type: "python", expression: "tree.exists('main.py') and not tree.exists('x')" }, "passed", "passed"],
    [{ type: "python", expression: "re.search('return', tree.read('main.py'))" }, "passed", "passed"],
    [{ type: "python", expression: "len(tree.paths()) == 4" }, "passed", "passed"],
    [{ type: "python", expression: "print('noise') or []" }, "failed", "false"],
    [{ type: "python", expression: "tree.json('report.json')['sum']" }, "failed", "exception"],
    [{ type: "python", expression: "exit(0)" }, "failed", "exception"],
    [{ type: "python", expression: "1 +" }, "failed", "exception"],
    [
      { type: "http_check", url: "http://127.0.0.1:8123/report.json", contains: '"total": 3', start: SERVE },
      "passed",
      "passed",
    ],
    [{ type: "http_check", url: "http://localhost:8123/report.json", start: SERVE }, "passed", "passed"],
    [{ type: "http_check", url: "http://localhost:8123/nowhere", start: SERVE }, "failed", "status"],
    [
      { type: "http_check", url: "http://localhost:8123/nowhere", expected_status: 404, start: SERVE },
      "passed",
      "passed",
    ],
    [{ type: "http_check", url: "http://localhost:8123/data", expected_status: 301, start: SERVE }, "passed", "passed"],
    [
      { type: "http_check", url: "http://localhost:8123/main.py", contains: "sub", start: SERVE },
      "failed",
      "not_found",
    ],
    [
      {
        type: "command",
        cmd: "python3 -c 'import urllib.request as u; u.urlopen(\"http://127.0.0.1:8123/main.py\")'",
        start: SERVE,
      },
      "passed",
      "passed",
    ],
    [{ type: "command", cmd: "python3 -c 'exit(5)'", expect_exit_code: 5, start: SERVE }, "passed", "passed"],
    [{ type: "command_contains", cmd: "cat main.py", needle: "def add", start: SERVE }, "passed", "passed"],
    // One of each type; refusals.test.ts has the ways around a rule.
    [{ type: "file_exists", path: "../main.py" }, "refused", "illegal_path"],
    [{ type: "file_absent", path: "/main.py" }, "refused", "illegal_path"],
    [{ type: "file_contains", path: "main.py", needle: "" }, "refused", "empty_needle"],
    [{ type: "file_matches", path: "main.py", pattern: "a".repeat(2000) }, "refused", "too_long"],
    [{ type: "command", cmd: "mount" }, "refused", "command_denied"],
    [{ type: "command_contains", cmd: "ls", needle: "" }, "refused", "empty_needle"],
    [{ type: "json_schema", path: "../report.json", schema: true }, "refused", "illegal_path"],
    [{ type: "http_check", url: "https://example.org/" }, "refused", "network_denied"],
    [{ type: "python", expression: `1${"+1".repeat(20_000)}` }, "refused", "too_long"],
  ];

  it.each(cases)("%j is %s (%s)", async (check, verdict, code) => {
    const result = await judgeOne(test.dock, files, check);
    expect([result.reason, result.verdict, result.code]).toEqual([result.reason, verdict, code]);
  });

  it("are tried with each verdict for every type", () => {
    const types = Check.options.map(({ shape }) => shape.type.value);
    const wanted = types.flatMap((type) => CheckVerdict.options.map((verdict) => `${type} ${verdict}`));
    const tried = new Set(cases.map(([{ type }, verdict]) => `${type} ${verdict}`));
    // It compares two trees: implied.test.ts and rounds.test.ts have them.
    expect(wanted.filter((each) => !tried.has(each))).toEqual(["unchanged passed", "unchanged failed"]);
  });

  it("says what failed, with the end of the output and the exit status", async () => {
    const result = await judgeOne(test.dock, files, { type: "command", cmd: "ls nowhere", name: "lists" });
    expect(result).toMatchObject({ type: "command", name: "lists", code: "exit_code", evidence: { exitCode: 2 } });
    expect(result.evidence.stderr).toContain("nowhere");
    expect(result.reason).toBe('"ls nowhere" ended with status 2, not 0.');
  });

  it("is passed only with at least one check, and all of them passed", async () => {
    const good: Check = { type: "file_exists", path: "main.py" };
    const bad: Check = { type: "file_exists", path: "x.py" };
    expect((await judge(test.dock, files, [good])).verdict).toBe("passed");
    expect((await judge(test.dock, files, [good, bad])).verdict).toBe("failed");
    expect((await judge(test.dock, files, [])).verdict).toBe("unverified");
  });

  it("names the first place where a value does not satisfy its schema", async () => {
    const schema = { properties: { rows: { items: { maximum: 1 } } } };
    const result = await judgeOne(test.dock, files, { type: "json_schema", path: "report.json", schema });
    expect(result.reason).toBe("report.json: /rows/1 does not satisfy #/properties/rows/items/maximum.");
  });
});

describe("a schema that refers to others", () => {
  const withTypes = { ...files, "types/total.json": '{ "type": "integer", "minimum": 3 }' };

  it("finds them in the tree", async () => {
    const schema = { properties: { total: { $ref: "types/total.json" } } };
    const result = await judgeOne(test.dock, withTypes, { type: "json_schema", path: "report.json", schema });
    expect(result.verdict).toBe("passed");
  });

  it.each([
    ["http://schemas.test/total.json", /does not allow connections to schemas.test:80/],
    ["file:///etc/hostname", /neither http nor https/],
    ["../../etc/hostname", /etc\/hostname/],
    ["types/none.json", /types\/none.json/],
  ])("does not go to %s for them", async ($ref, reason) => {
    const check: Check = { type: "json_schema", path: "report.json", schema: { $ref } };
    const result = await judgeOne(test.dock, withTypes, check);
    expect(result).toMatchObject({ verdict: "failed", code: "invalid_schema", reason: expect.stringMatching(reason) });
  });
});

describe("services", () => {
  it("started by an earlier check are started again for a request on loopback", async () => {
    const { checks } = await judge(test.dock, files, [
      { type: "command", cmd: "cat main.py", start: SERVE },
      { type: "http_check", url: "http://127.0.0.1:8123/main.py", contains: "def add" },
    ]);
    expect(checks.map(({ verdict }) => verdict)).toEqual(["passed", "passed"]);
  });

  it("give a command that runs beside them no more time than it has", async () => {
    const check: Check = { type: "command", cmd: "python3 -c 'import time; time.sleep(4)'", start: SERVE, timeout: 1 };
    const result = await judgeOne(test.dock, files, check);
    expect(result).toMatchObject({
      code: "timeout",
      reason: `${JSON.stringify(check.cmd)} did not finish within 1 s.`,
    });
  });

  it("can't read the memory or the descriptors of who asks them", async () => {
    const look = [
      "import os, http.server",
      "with open('seen.txt', 'w') as seen:",
      "  for what in ('mem', 'environ', 'fd/0'):",
      "    try: print(what, 'opened', open('/proc/%d/%s' % (os.getppid(), what), 'rb'), file=seen)",
      "    except OSError as error: print(what, type(error).__name__, file=seen)",
      "http.server.test(http.server.SimpleHTTPRequestHandler, port=8123, bind='127.0.0.1')",
    ].join("\n");
    const url = "http://127.0.0.1:8123/seen.txt";
    const check: Check = { type: "http_check", url, start: "python3 look.py" };
    const { evidence } = await judgeOne(test.dock, { "look.py": look }, check);
    // Where pid 1 is hidden, it is not even there to be refused.
    const lines = String(evidence.body).trimEnd().split("\n");
    const refusal = /^(PermissionError|FileNotFoundError)$/;
    expect(lines.map((line) => line.split(" "))).toEqual(
      ["mem", "environ", "fd/0"].map((what) => [what, expect.stringMatching(refusal)]),
    );
  });

  it("that end at once are told of with what they printed", async () => {
    const start = "python3 -c 'print(\"no port\"); exit(4)'";
    const command = await judgeOne(test.dock, files, { type: "command", cmd: "ls", start });
    expect(command).toMatchObject({ verdict: "failed", code: "service_ended" });
    expect(command.evidence.services).toEqual([{ start, ended: 4, output: "no port\n" }]);
    const url = "http://127.0.0.1:8123/";
    const http = await judgeOne(test.dock, files, { type: "http_check", url, start });
    expect(http).toMatchObject({ verdict: "failed", code: "unreachable" });
  });

  it("that never listen leave the request unanswered", async () => {
    const start = "python3 -c 'import time; time.sleep(60)'";
    const check: Check = { type: "http_check", url: "http://127.0.0.1:8123/", start, timeout: 0.5 };
    expect(await judgeOne(test.dock, files, check)).toMatchObject({ verdict: "failed", code: "unreachable" });
  });

  it("that accept and say nothing are given up on", async () => {
    const start = "python3 -c 'import socket,time; s=socket.create_server((\"127.0.0.1\",8123)); time.sleep(60)'";
    const check: Check = { type: "http_check", url: "http://127.0.0.1:8123/", start, timeout: 1 };
    expect(await judgeOne(test.dock, files, check)).toMatchObject({ verdict: "failed", code: "unreachable" });
  });
});

describe("a service on the host", () => {
  it("is reached where the policy allows its port, and not otherwise", async () => {
    const server = createServer((_request, response) => response.end("from the host"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const check: Check = { type: "http_check", url: `http://127.0.0.1:${port}/`, contains: "from the host" };
    try {
      const policy = { ...POLICY, network: { allow: [`127.0.0.1:${port}`], upstreams: [] } };
      expect(await judgeOne(test.dock, files, check, { policy })).toMatchObject({ verdict: "passed" });
      const refused = await judgeOne(test.dock, files, check);
      expect(refused).toMatchObject({ verdict: "refused", code: "network_denied" });
      expect(refused.reason).toContain(`drydock policy allow network 127.0.0.1:${port}`);
    } finally {
      server.close();
    }
  });

  it("that is not there is unreachable", async () => {
    const policy = { ...POLICY, network: { allow: ["127.0.0.1:1"], upstreams: [] } };
    const check: Check = { type: "http_check", url: "http://127.0.0.1:1/", timeout: 0.5 };
    expect(await judgeOne(test.dock, files, check, { policy })).toMatchObject({
      verdict: "failed",
      code: "unreachable",
    });
  });
});
