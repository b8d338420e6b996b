import type { Check } from "@drydock/protocol";
import { describe, expect, it } from "vitest";
import { openTestDock } from "../testing/test-dock.ts";
import { judge, judgeOne, POLICY } from "./judge.ts";

const test = openTestDock();
const files = { "main.py": "print(1)\n", ".env": "KEY=1" };

describe("a check that is not allowed", () => {
  const cases: [check: Check, code: string][] = [
    [{ type: "file_exists", path: "outputs/test-fail.log{}" }, "illegal_path"],
    [{ type: "file_exists", path: "/etc/passwd" }, "illegal_path"],
    [{ type: "file_exists", path: "../main.py" }, "illegal_path"],
    [{ type: "file_exists", path: "a/../main.py" }, "illegal_path"],
    [{ type: "file_exists", path: "./main.py" }, "illegal_path"],
    [{ type: "file_exists", path: "a//b" }, "illegal_path"],
    [{ type: "file_exists", path: "dir/" }, "illegal_path"],
    [{ type: "file_absent", path: "a\0b" }, "illegal_path"],
    [{ type: "file_absent", path: "a\nb" }, "illegal_path"],
    [{ type: "file_absent", path: "a\u009bb" }, "illegal_path"],
    [{ type: "file_absent", path: "C:\\x" }, "illegal_path"],
    [{ type: "file_contains", path: "*.py", needle: "x" }, "illegal_path"],
    [{ type: "file_contains", path: "a|b", needle: "x" }, "illegal_path"],
    [{ type: "file_contains", path: "\ud800", needle: "x" }, "illegal_path"],
    [{ type: "file_exists", path: ".git/config" }, "illegal_path"],
    [{ type: "file_exists", path: "a".repeat(2000) }, "too_long"],
    [{ type: "file_contains", path: ".env", needle: "KEY" }, "hidden_path"],
    [{ type: "file_contains", path: "deep/.env.local", needle: "KEY" }, "hidden_path"],
    [{ type: "file_contains", path: "main.py", needle: "" }, "empty_needle"],
    [{ type: "command_contains", cmd: "ls", needle: "" }, "empty_needle"],
    [{ type: "file_matches", path: "main.py", pattern: "a".repeat(2000) }, "too_long"],
    [{ type: "python", expression: `1${"+1".repeat(20_000)}` }, "too_long"],
    [{ type: "unchanged", paths: ["/etc/**"] }, "illegal_path"],
    [{ type: "unchanged", paths: ["a/../../b"] }, "illegal_path"],
    [{ type: "command", cmd: "curl http://example.org" }, "command_denied"],
    [{ type: "command", cmd: "ls; rm -rf /" }, "command_denied"],
    [{ type: "command", cmd: "$(ls)" }, "command_denied"],
    [{ type: "command", cmd: 'eval "$X"' }, "command_denied"],
    [{ type: "command", cmd: "PATH=. pytest" }, "command_denied"],
    [{ type: "command", cmd: "alias pytest=true; pytest" }, "command_denied"],
    [{ type: "command", cmd: "./pytest" }, "command_denied"],
    [{ type: "command", cmd: "ls 'unclosed" }, "command_denied"],
    [{ type: "command", cmd: "ls", start: "nc -l 80" }, "command_denied"],
    [{ type: "command", cmd: "ls", start: "python3 -m http.server 1; } ; nc" }, "command_denied"],
    [{ type: "command", cmd: "ls\0" }, "command_denied"],
    [{ type: "http_check", url: "http://127.0.0.1/", start: "nginx" }, "command_denied"],
    [{ type: "http_check", url: "http://127.0.0.1:8000/" }, "network_denied"],
    [{ type: "http_check", url: "http://[::1]:8000/" }, "network_denied"],
    [{ type: "http_check", url: "http://0x7f.1:8000/" }, "network_denied"],
    [{ type: "http_check", url: "https://example.org/" }, "network_denied"],
    [{ type: "http_check", url: "https://example.org/", start: "python3 -m http.server" }, "network_denied"],
    [{ type: "http_check", url: "http://169.254.169.254/latest/", start: "python3 -m http.server" }, "network_denied"],
    [{ type: "http_check", url: "http://0.0.0.0:1/", start: "python3 -m http.server" }, "network_denied"],
    [{ type: "http_check", url: "http://localhost.example.org/", start: "python3 -m http.server" }, "network_denied"],
    [{ type: "http_check", url: "file:///etc/passwd" }, "illegal_url"],
    [{ type: "http_check", url: "ftp://localhost/" }, "illegal_url"],
    [{ type: "http_check", url: "http://user:pass@localhost/" }, "illegal_url"],
    [{ type: "http_check", url: "http://localhost@example.org/" }, "illegal_url"],
    [{ type: "http_check", url: "http://local host/" }, "illegal_url"],
    [{ type: "http_check", url: "nonsense" }, "illegal_url"],
  ];

  it.each(cases)("%j is refused as %s", async (check, code) => {
    const { verdict, checks } = await judge(test.dock, files, [check]);
    expect(checks).toEqual([expect.objectContaining({ verdict: "refused", code })]);
    expect(verdict).toBe("failed");
  });

  it("names what would allow it", async () => {
    const command = await judgeOne(test.dock, files, { type: "command", cmd: "make" });
    expect(command.reason).toMatch(/"make" is not allowed.*Allowed are: python3.*drydock policy allow command/);
    const http = await judgeOne(test.dock, files, { type: "http_check", url: "https://example.org/" });
    expect(http.reason).toContain("drydock policy allow network example.org:443");
  });

  it("is refused by a wildcard that does not name this machine itself", async () => {
    const policy = { ...POLICY, network: { allow: ["*:80"], upstreams: [] } };
    const check: Check = { type: "http_check", url: "http://127.0.0.1/", timeout: 2 };
    expect(await judgeOne(test.dock, files, check, { policy })).toMatchObject({ verdict: "refused" });
  });
});
