import { EffectivePolicy, ERROR_CODES, ErrorInfo } from "@drydock/protocol";
import { describe, expect, it } from "vitest";
import type { Ending } from "./ending.ts";
import { type ExceptionReport, explainFailure, type FailureContext, readReport } from "./index.ts";

const policy: EffectivePolicy = EffectivePolicy.parse({
  version: 1,
  files: { access: true, write: ["src/**"], protect: [".git/**"], hide: ["**/.env"] },
  commands: { allow: [] },
  network: { allow: [] },
  environment: { allow: [] },
  python: { guard: "open", imports: { allow: [], block: [] }, calls: { block: [] } },
  limits: {
    wallSeconds: 30,
    cpuSeconds: 20,
    memoryMb: 512,
    processes: 64,
    outputMb: 8,
    diskMb: 256,
    openFiles: 128,
    concurrency: 4,
  },
  sessions: { tasks: 50, idleSeconds: 3600, live: 32 },
  sandbox: { backends: ["namespaces"], level: "rlimits" },
});

const python: FailureContext = { language: "python", limits: policy.limits, policy, refused: [] };
const node: FailureContext = { ...python, language: "node" };
const bash: FailureContext = { ...python, language: "bash" };
const refusing: FailureContext = { ...python, refused: [{ host: "example.org", port: 443 }] };
const allowing: FailureContext = {
  ...refusing,
  policy: { ...policy, network: { allow: ["*.org:443"] } },
};

function raised(exception: Partial<ExceptionReport> & { type: string }): Ending {
  return { kind: "exited", exitCode: 1, report: readReport({ outcome: "exception", exception }) };
}

interface Row {
  title: string;
  ending: Ending;
  context?: FailureContext;
  code: ErrorInfo["code"];
  message: string;
  hint: string;
  data?: Record<string, unknown>;
}

const rows: Row[] = [
  // Limits, seen from outside.
  {
    title: "too long",
    ending: { kind: "limit", limit: "timeout", value: 30 },
    code: "limit.timeout",
    message: "longer than 30 s",
    hint: "--timeout 60, or limits.wallSeconds: 60 in the request's policy. For every run: drydock policy set limits.wallSeconds 60",
    data: { limit: "wallSeconds", value: 30 },
  },
  {
    title: "half a second",
    ending: { kind: "limit", limit: "timeout", value: 0.5 },
    code: "limit.timeout",
    message: "0.5 s",
    hint: "--timeout 1,",
  },
  {
    title: "too much processor time",
    ending: { kind: "limit", limit: "cpu", value: 20 },
    code: "limit.cpu",
    message: "20 s of processor",
    hint: "set limits.cpuSeconds 40",
  },
  {
    title: "too much memory",
    ending: { kind: "limit", limit: "memory", value: 512 },
    code: "limit.memory",
    message: "512 MB",
    hint: "--memory 1024, or limits.memoryMb: 1024 in the request's policy. For every run: drydock policy set limits.memoryMb 1024",
  },
  {
    title: "too many processes",
    ending: { kind: "limit", limit: "processes", value: 64 },
    code: "limit.processes",
    message: "64 processes",
    hint: "set limits.processes 128",
  },
  {
    title: "too much output",
    ending: { kind: "limit", limit: "output", value: 8 },
    code: "limit.output",
    message: "8 MB of output",
    hint: "set limits.outputMb 16",
  },
  {
    title: "too much on disk",
    ending: { kind: "limit", limit: "disk", value: 256 },
    code: "limit.disk",
    message: "256 MB of files",
    hint: "set limits.diskMb 512",
  },
  {
    title: "too many files",
    ending: { kind: "limit", limit: "files", value: 128 },
    code: "limit.files",
    message: "128 files",
    hint: "set limits.openFiles 256",
  },

  // Limits, as the code met them.
  {
    title: "MemoryError",
    ending: raised({ type: "MemoryError", line: 3 }),
    code: "limit.memory",
    message: "512 MB",
    hint: "--memory",
    data: { line: 3, exception: "MemoryError" },
  },
  {
    title: "numpy's MemoryError",
    ending: raised({ type: "numpy.core._exceptions._ArrayMemoryError", bases: ["MemoryError"] }),
    code: "limit.memory",
    message: "512 MB",
    hint: "--memory",
  },
  {
    title: "a full disk",
    ending: raised({ type: "OSError", errno: 28 }),
    code: "limit.disk",
    message: "256 MB",
    hint: "limits.diskMb",
  },
  {
    title: "a full quota",
    ending: raised({ type: "OSError", errno: 122 }),
    code: "limit.disk",
    message: "256 MB",
    hint: "limits.diskMb",
  },
  {
    title: "a file too large",
    ending: raised({ type: "OSError", errno: 27 }),
    code: "limit.disk",
    message: "256 MB",
    hint: "limits.diskMb",
  },
  {
    title: "no more descriptors",
    ending: raised({ type: "OSError", errno: 24 }),
    code: "limit.files",
    message: "128 files",
    hint: "with",
  },
  {
    title: "a fork that is refused",
    ending: raised({ type: "BlockingIOError", errno: 11 }),
    code: "limit.processes",
    message: "64",
    hint: "limits.processes",
  },
  {
    title: "a thread that is refused",
    ending: raised({ type: "RuntimeError", message: "can't start new thread" }),
    code: "limit.processes",
    message: "64",
    hint: "fewer",
  },
  {
    title: "a full disk under Node",
    ending: raised({ type: "Error", code: "ENOSPC" }),
    context: node,
    code: "limit.disk",
    message: "256 MB",
    hint: "limits.diskMb",
  },
  {
    title: "no more descriptors under Node",
    ending: raised({ type: "Error", code: "EMFILE" }),
    context: node,
    code: "limit.files",
    message: "128",
    hint: "Close",
  },
  {
    title: "a spawn that is refused under Node",
    ending: raised({ type: "Error", code: "EAGAIN" }),
    context: node,
    code: "limit.processes",
    message: "64",
    hint: "fewer",
  },
  {
    title: "a worker out of memory under Node",
    ending: raised({ type: "Error", code: "ERR_WORKER_OUT_OF_MEMORY" }),
    context: node,
    code: "limit.memory",
    message: "512 MB",
    hint: "--memory",
  },
  {
    title: "SIGXCPU",
    ending: { kind: "signalled", signal: "SIGXCPU" },
    code: "limit.cpu",
    message: "20 s",
    hint: "limits.cpuSeconds",
  },
  {
    title: "SIGXFSZ",
    ending: { kind: "signalled", signal: "SIGXFSZ" },
    code: "limit.disk",
    message: "256 MB",
    hint: "limits.diskMb",
  },

  // Crashes.
  {
    title: "SIGSEGV",
    ending: { kind: "signalled", signal: "SIGSEGV" },
    code: "code.crash",
    message: "SIGSEGV",
    hint: "Native code",
    data: { signal: "SIGSEGV" },
  },
  {
    title: "SIGABRT",
    ending: { kind: "signalled", signal: "SIGABRT" },
    context: node,
    code: "code.crash",
    message: "SIGABRT",
    hint: "--memory",
  },
  {
    title: "SIGSYS",
    ending: { kind: "signalled", signal: "SIGSYS" },
    code: "code.crash",
    message: "system call",
    hint: "another way",
  },
  {
    title: "SIGKILL by nobody we know",
    ending: { kind: "signalled", signal: "SIGKILL" },
    code: "code.crash",
    message: "SIGKILL",
    hint: "memory",
  },
  {
    title: "a signal without words of its own",
    ending: { kind: "signalled", signal: "SIGUSR1" },
    code: "code.crash",
    message: "SIGUSR1",
    hint: "stderr",
  },
  {
    title: "a crash after a report that claims success",
    ending: { kind: "signalled", signal: "SIGSEGV", report: { outcome: "ok" } },
    code: "code.crash",
    message: "SIGSEGV",
    hint: "Native",
  },

  // Exits.
  {
    title: "sys.exit(7)",
    ending: { kind: "exited", exitCode: 7, report: { outcome: "exit" } },
    code: "code.exit",
    message: "status 7",
    hint: "output",
    data: { exitCode: 7 },
  },
  {
    title: "a report of success with another status",
    ending: { kind: "exited", exitCode: 3, report: { outcome: "ok" } },
    code: "code.exit",
    message: "status 3",
    hint: "output",
    data: { exitCode: 3 },
  },
  {
    title: "a status without a report",
    ending: { kind: "exited", exitCode: 9 },
    code: "code.exit",
    message: "status 9",
    hint: "output",
    data: { exitCode: 9 },
  },
  {
    title: "a command that is not found",
    ending: { kind: "exited", exitCode: 127 },
    context: { ...bash, language: "command" },
    code: "code.exit",
    message: "The command ended with status 127",
    hint: "not found",
    data: { exitCode: 127 },
  },
  {
    title: "a file that can't be executed",
    ending: { kind: "exited", exitCode: 126 },
    context: bash,
    code: "code.exit",
    message: "126",
    hint: "chmod +x",
  },
  {
    title: "a command that was killed",
    ending: { kind: "exited", exitCode: 137 },
    context: bash,
    code: "code.exit",
    message: "137",
    hint: "SIGKILL",
  },
  {
    title: "a command that crashed",
    ending: { kind: "exited", exitCode: 139 },
    context: bash,
    code: "code.exit",
    message: "139",
    hint: "SIGSEGV",
  },
  {
    title: "Python's status 127, which says nothing of commands",
    ending: { kind: "exited", exitCode: 127 },
    code: "code.exit",
    message: "127",
    hint: "chose this status",
  },
  {
    title: "curl that met a refusal",
    ending: { kind: "exited", exitCode: 56 },
    context: { ...refusing, language: "bash" },
    code: "code.exit",
    message: "56",
    hint: "drydock policy allow network example.org:443",
    data: { refused: ["example.org:443"] },
  },

  // Text and modules.
  {
    title: "a syntax error",
    ending: raised({ type: "SyntaxError", message: "invalid syntax", syntax: { line: 4, column: 9, text: "x = = 1" } }),
    code: "code.syntax",
    message: "SyntaxError on line 4:9: invalid syntax",
    hint: "line 4, at: x = = 1",
    data: { line: 4, column: 9 },
  },
  {
    title: "code that is nested too deeply",
    ending: raised({ type: "MemoryError", message: "too deeply nested", syntax: { line: 1 } }),
    code: "code.syntax",
    message: "on line 1",
    hint: "Correct",
    data: { line: 1 },
  },
  {
    title: "a SyntaxError that running code raised",
    ending: raised({ type: "SyntaxError", message: "bad", line: 2 }),
    code: "code.exception",
    message: "SyntaxError: bad (line 2)",
    hint: "line 2",
  },
  {
    title: "a syntax error under Node",
    ending: raised({ type: "SyntaxError", message: "Unexpected token", syntax: { line: 2 } }),
    context: node,
    code: "code.syntax",
    message: "line 2",
    hint: "line 2",
  },
  {
    title: "JSON.parse under Node",
    ending: raised({ type: "SyntaxError", message: "Unexpected end of JSON input", line: 2 }),
    context: node,
    code: "code.exception",
    message: "JSON",
    hint: "line 2",
  },
  {
    title: "a missing module that Debian has",
    ending: raised({ type: "ModuleNotFoundError", bases: ["ImportError"], module: "scipy.stats", line: 1 }),
    code: "code.import_missing",
    message: "scipy.stats",
    hint: "sudo apt-get install python3-scipy",
    data: { module: "scipy.stats", package: "scipy", line: 1 },
  },
  {
    title: "a missing module under another name",
    ending: raised({ type: "ModuleNotFoundError", module: "cv2" }),
    code: "code.import_missing",
    message: "cv2",
    hint: "python3-opencv",
    data: { package: "opencv-python" },
  },
  {
    title: "a missing module that only the index has",
    ending: raised({ type: "ModuleNotFoundError", module: "fitz" }),
    code: "code.import_missing",
    message: "fitz",
    hint: "python3 -m pip install PyMuPDF",
    data: { package: "PyMuPDF" },
  },
  {
    title: "sklearn",
    ending: raised({ type: "ModuleNotFoundError", module: "sklearn" }),
    code: "code.import_missing",
    message: "sklearn",
    hint: "python3-sklearn",
    data: { package: "scikit-learn" },
  },
  {
    title: "a missing module under the strict guard",
    ending: raised({ type: "ModuleNotFoundError", module: "polars" }),
    context: { ...python, policy: { ...policy, python: { ...policy.python, guard: "strict" } } },
    code: "code.import_missing",
    message: "polars",
    hint: "one of the allowed",
  },
  {
    title: "a missing package under Node",
    ending: raised({ type: "Error", code: "ERR_MODULE_NOT_FOUND", module: "@scope/name/part.js" }),
    context: node,
    code: "code.import_missing",
    message: "@scope/name",
    hint: "npm install @scope/name.",
    data: { package: "@scope/name" },
  },
  {
    title: "a missing file under Node",
    ending: raised({ type: "Error", code: "MODULE_NOT_FOUND", module: "./lib.js" }),
    context: node,
    code: "code.import_missing",
    message: "./lib.js",
    hint: "a file of your own",
  },
  {
    title: "a missing module without a name",
    ending: raised({ type: "Error", code: "MODULE_NOT_FOUND", message: "Cannot find module" }),
    context: node,
    code: "code.import_missing",
    message: "Cannot find module",
    hint: "put it into the workspace",
  },

  // The network.
  {
    title: "a name that does not resolve, without any network",
    ending: raised({ type: "socket.gaierror", bases: ["OSError"], errno: -2 }),
    code: "policy.network_denied",
    message: "network",
    hint: "drydock policy allow network HOST:PORT",
  },
  {
    title: "a request without any network",
    ending: raised({
      type: "requests.exceptions.ConnectionError",
      chain: ["urllib3.exceptions.MaxRetryError", "socket.gaierror"],
    }),
    code: "policy.network_denied",
    message: "network",
    hint: "allow network",
  },
  {
    title: "an unreachable network under a library",
    ending: raised({ type: "httpx.ConnectError", chain: ["httpcore.ConnectError", "OSError"] }),
    code: "policy.network_denied",
    message: "network",
    hint: "allow network",
  },
  {
    title: "ENETUNREACH",
    ending: raised({ type: "OSError", errno: 101 }),
    code: "policy.network_denied",
    message: "network",
    hint: "allow network",
  },
  {
    title: "ENOTFOUND under Node",
    ending: raised({ type: "Error", code: "ENOTFOUND" }),
    context: node,
    code: "policy.network_denied",
    message: "network",
    hint: "allow network",
  },
  {
    title: "a host that the proxy refused",
    ending: raised({ type: "urllib.error.URLError", bases: ["OSError"] }),
    context: refusing,
    code: "policy.network_denied",
    message: "example.org:443",
    hint: "drydock policy allow network example.org:443",
    data: { refused: ["example.org:443"] },
  },
  {
    title: "status 403 of the proxy",
    ending: raised({ type: "urllib.error.HTTPError", bases: ["urllib.error.URLError"] }),
    context: refusing,
    code: "policy.network_denied",
    message: "example.org:443",
    hint: "allow network",
  },
  {
    title: "a failed tunnel under Node",
    ending: raised({ type: "TypeError", message: "fetch failed", code: "UND_ERR_ABORTED" }),
    context: { ...refusing, language: "node" },
    code: "policy.network_denied",
    message: "example.org:443",
    hint: "allow network",
  },
  {
    title: "two hosts, one of them twice, and an IPv6 address",
    ending: raised({ type: "ConnectionError" }),
    context: {
      ...python,
      refused: [
        { host: "a.org", port: 80 },
        { host: "a.org", port: 80 },
        { host: "2001:db8::1", port: 443 },
      ],
    },
    code: "policy.network_denied",
    message: "a.org:80, [2001:db8::1]:443",
    hint: "allow network a.org:80 [2001:db8::1]:443",
  },
  {
    title: "a failed connection to an allowed host",
    ending: raised({ type: "ConnectionResetError", errno: 104, message: "reset" }),
    context: allowing,
    code: "code.exception",
    message: "ConnectionResetError: reset",
    hint: "handle",
  },
  {
    title: "a local server that is not there",
    ending: raised({ type: "ConnectionRefusedError", errno: 111, message: "refused" }),
    code: "code.exception",
    message: "ConnectionRefusedError",
    hint: "handle",
  },
  {
    title: "another exception after a refusal",
    ending: raised({ type: "KeyError", message: "'x'", line: 5 }),
    context: refusing,
    code: "code.exception",
    message: "KeyError: 'x' (line 5)",
    hint: "example.org:443 were refused",
  },

  // Files.
  {
    title: "a write outside of the work directory",
    ending: raised({ type: "PermissionError", errno: 13, path: "/etc/passwd" }),
    code: "policy.path_denied",
    message: "/etc/passwd",
    hint: "relative paths",
    data: { path: "/etc/passwd" },
  },
  {
    title: "a way out by dots",
    ending: raised({ type: "PermissionError", errno: 13, path: "../../etc/x" }),
    code: "policy.path_denied",
    message: "outside",
    hint: "relative",
  },
  {
    title: "a read-only system",
    ending: raised({ type: "OSError", errno: 30, path: "/usr/lib/x" }),
    code: "policy.path_denied",
    message: "/usr/lib/x",
    hint: "/tmp",
  },
  {
    title: "a protected path",
    ending: raised({ type: "OSError", errno: 30, path: ".git/config" }),
    code: "policy.path_denied",
    message: ".git/config",
    hint: "files.protect",
  },
  {
    title: "a path outside of the write scope",
    ending: raised({ type: "PermissionError", errno: 13, path: "/work/docs/a.md" }),
    code: "policy.path_denied",
    message: "docs/a.md",
    hint: "drydock policy allow write docs/a.md",
  },
  {
    title: "the code's own permissions",
    ending: raised({ type: "PermissionError", errno: 13, path: "src/a.txt", message: "denied" }),
    code: "code.exception",
    message: "PermissionError: denied",
    hint: "handle",
  },
  {
    title: "another work directory",
    ending: raised({ type: "Error", code: "EACCES", path: "/work/x" }),
    context: { ...node, workDirectory: "/home/u" },
    code: "policy.path_denied",
    message: "/work/x",
    hint: "relative",
  },
  {
    title: "a file of the host",
    ending: raised({ type: "FileNotFoundError", errno: 2, path: "/home/u/data.csv", message: "no" }),
    code: "code.exception",
    message: "FileNotFoundError",
    hint: "put data.csv into the workspace",
  },
  {
    title: "a hidden file",
    ending: raised({ type: "FileNotFoundError", errno: 2, path: "app/.env" }),
    code: "code.exception",
    message: "FileNotFoundError",
    hint: "files.hide",
  },
  {
    title: "a misspelt file",
    ending: raised({ type: "FileNotFoundError", errno: 2, path: "dat.csv" }),
    code: "code.exception",
    message: "FileNotFoundError",
    hint: "Check the name",
  },
  {
    title: "a system call that is closed",
    ending: raised({ type: "PermissionError", errno: 1, message: "no" }),
    code: "code.exception",
    message: "PermissionError",
    hint: "system call",
  },

  // Everything else.
  {
    title: "an exception",
    ending: raised({ type: "__main__.Oops", message: "bad", line: 2, column: 5, traceback: "Traceback…" }),
    code: "code.exception",
    message: "Oops: bad (line 2)",
    hint: "line 2",
    data: { exception: "__main__.Oops", line: 2, column: 5, traceback: "Traceback…" },
  },
  {
    title: "an exception without words",
    ending: raised({ type: "AssertionError" }),
    code: "code.exception",
    message: "AssertionError",
    hint: "traceback",
  },
  {
    title: "endless recursion",
    ending: raised({ type: "RecursionError", line: 1 }),
    code: "code.exception",
    message: "RecursionError",
    hint: "loop",
  },
  {
    title: "input() at the end of the input",
    ending: raised({ type: "EOFError" }),
    code: "code.exception",
    message: "EOFError",
    hint: "--stdin",
  },
  {
    title: "a name that a module does not have",
    ending: raised({ type: "ImportError", module: "math" }),
    code: "code.exception",
    message: "ImportError",
    hint: "version",
  },
  {
    title: "an exception under Node",
    ending: raised({ type: "TypeError", message: "x is not a function", line: 3, stack: "TypeError…" }),
    context: node,
    code: "code.exception",
    message: "TypeError: x is not a function (line 3)",
    hint: "line 3",
    data: { traceback: "TypeError…" },
  },
  { title: "cancelled", ending: { kind: "cancelled" }, code: "run.cancelled", message: "cancelled", hint: "again" },
  {
    title: "a sandbox that died",
    ending: { kind: "lost", reason: "the member was killed" },
    code: "internal",
    message: "the member was killed",
    hint: "drydock doctor",
  },
  {
    title: "what the guard refused",
    ending: {
      kind: "exited",
      exitCode: 1,
      report: readReport({
        outcome: "exception",
        guard: {
          code: "policy.import_denied",
          name: "os",
          line: 1,
          column: 8,
          message: "no os",
          allowed: ["math"],
          hint: "Use pathlib.",
        },
      }),
    },
    code: "policy.import_denied",
    message: "no os",
    hint: "Use pathlib.",
    data: { name: "os", line: 1, column: 8, allowed: ["math"] },
  },
];

describe("a failure", () => {
  it.each(rows)("$code: $title", ({ ending, context, code, message, hint, data }) => {
    const error = explainFailure(ending, context ?? python);
    expect(error).toMatchObject({ code, message: expect.stringContaining(message), ...data });
    expect(error?.hint).toContain(hint);
    expect(ErrorInfo.parse(error)).toEqual(error);
  });

  it("is never told of status 0, whatever the report claims", () => {
    const exception = { type: "ValueError" };
    const guard = { code: "policy.import_denied", name: "os", line: 1, column: 1, message: "", hint: "" };
    for (const report of [
      undefined,
      { outcome: "exception", exception },
      { outcome: "exit" },
      { outcome: "exception", guard },
    ]) {
      expect(explainFailure({ kind: "exited", exitCode: 0, report: readReport(report) }, refusing)).toBeNull();
    }
  });

  it("is explained without a report that does not fit", () => {
    for (const report of [null, 3, "ok", {}, { outcome: "fine" }, { outcome: "exception", exception: { type: 3 } }]) {
      expect(readReport(report)).toBeUndefined();
    }
    expect(explainFailure({ kind: "exited", exitCode: 1, report: readReport("lies") }, python)?.code).toBe("code.exit");
  });

  it("has a row here for every code that a run's end can have", () => {
    const elsewhere =
      /^(input|session|policy\.(invalid|command_denied|approval_denied|call_denied)|run\.not_found|sandbox|ledger|limit\.(concurrency|budget))/;
    const expected = ERROR_CODES.filter((code) => !elsewhere.test(code));
    expect([...new Set(rows.map(({ code }) => code))].sort()).toEqual(expected.sort());
  });
});
