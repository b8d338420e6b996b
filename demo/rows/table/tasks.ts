import type { Row } from "../row.ts";

const FAILURES = [
  "while True: pass",
  "bytearray(1 << 30)",
  "import nothing_here",
  'import urllib.request as u; u.urlopen("http://example.org")',
  'open("/etc/shadow")',
  "print(",
  "import os; os.abort()",
  'print("x" * (9 << 20))',
];

/** A: Python tasks and sessions. */
export const TASKS: readonly Row[] = [
  {
    id: "A1",
    gives:
      "Words in, a task's result out: code by the model, run in the sandbox, with output, variables, files and error",
    command: "node examples/task.ts",
    model: true,
    expect: {
      prints: ['"ok": true', '"result": "may"', '"code": "winner', '"winner": "str"', "answer.txt", '"error": null'],
    },
  },
  {
    id: "A2",
    gives: "Workflows: steps that share variables and files, a result for each, stop or go on after one that failed",
    command: "node examples/workflow.ts",
    model: true,
    expect: {
      prints: [
        "2. Divide them by nothing: failed code.exception",
        "3. Add them up: skipped",
        "3. Add them up: done 12",
      ],
    },
  },
  {
    id: "A3",
    gives: "Each session has its own interpreter and work directory; none sees another",
    command: `A=$(drydock session open) B=$(drydock session open); drydock session exec $A -c 'x = 1; open("mine", "w")'; drydock session exec $B -c 'import os; print("x" in globals(), os.listdir())'`,
    expect: { prints: ["+ mine", "False []"] },
  },
  {
    id: "A4",
    gives:
      "Limits by default: 300 s, 50 steps and 3600 s idle for a session, 512 MB, no network, no other files (not shown: a session that reaches its 50 steps or 3600 s)",
    command: `drydock policy show --json; drydock exec -c 'bytearray(600 << 20)'; drydock exec -c 'import socket; socket.create_connection(("example.org", 80))'`,
    expect: {
      status: 3,
      prints: [
        /"wallSeconds":300\b/,
        /"memoryMb":512\b/,
        /"tasks":50,"idleSeconds":3600\b/,
        '"network":{"allow":[],',
        "limit.memory",
        "policy.network_denied",
      ],
    },
  },
  {
    id: "A5",
    gives: "Idle sessions are closed, the number of live ones is bounded, and figures are kept",
    command: `P=$(mktemp) && echo 'sessions: { idleSeconds: 3, live: 1 }' > $P && S=$(drydock session open --policy $P); drydock session open --policy $P; sleep 4; drydock session exec $S -c 1; drydock session stats`,
    expect: { prints: ["session.limit", "nobody had used it for 3 s", /closed when idle +1\b/] },
  },
  {
    id: "A6",
    gives: "Every failure has a kind and a hint: timeout, memory, import, network, file, syntax, crash, limit",
    command: `for code in ${FAILURES.map((code) => `'${code}'`).join(" ")}; do drydock exec --timeout 4 --memory 64 -c "$code" 2>&1 | grep -A1 ✗; done`,
    expect: {
      prints: [
        /limit\.timeout.*\n +hint: /,
        /limit\.memory.*\n +hint: /,
        /code\.import_missing.*\n +hint: /,
        /policy\.network_denied.*\n +hint: /,
        /policy\.path_denied.*\n +hint: /,
        /code\.syntax.*\n +hint: /,
        /code\.crash.*\n +hint: /,
        /limit\.output.*\n +hint: /,
      ],
    },
  },
  {
    id: "A7",
    gives: "Where the interpreter or the sandbox is missing, an error says how to get it; nothing runs unprotected",
    command: `DRYDOCK_PYTHON=/nowhere/python3 drydock exec -c 'print("r" + "an")'`,
    expect: { status: 5, prints: ["sandbox.unavailable", "apt-get install python3"], never: ["ran\n"] },
  },
  {
    id: "A8",
    gives: "A goal is split into tasks, executed and checked; a failed step is tried again with what was found",
    command: `drydock run --goal "Write three numbers, then their sum" --workspace "$(mktemp -d)" --model scripted:demo/rows/goals/numbers.yaml`,
    expect: {
      prints: [
        "plan: 2 tasks: numbers, sum",
        'sum.txt does not contain "12"',
        "sum: trying again",
        "sum: done in 2 attempts",
        "PASSED",
      ],
    },
  },
  {
    id: "A9",
    gives: "Files, earlier messages and the session's variables reach the model; its answers come back to the chat",
    command: String.raw`printf '/attach demo/sales-report/sales.csv\nHow many rows has sales.csv?\nAnd how many columns?\n' | drydock repl`,
    model: true,
    expect: { prints: ["sales.csv (8.3 KB) is in the work directory", "[262]", "[5]", "it is the same file"] },
  },
  {
    id: "A10",
    gives: "“Read a table, average every column, draw a bar chart” gives a picture",
    command: `O=$(mktemp -d); drydock ask "Read sales.csv, average every column, draw a bar chart" --file demo/sales-report/sales.csv --out $O; head -c 4 $O/figure-1.png`,
    model: true,
    expect: { prints: ["The averages are drawn as bars", "figure-1.png (image/png", "PNG"] },
  },
  {
    id: "A11",
    gives: "Agents get all of it as tools: in the library, over HTTP and over MCP",
    command: `drydock agents call examples/analyst.ts analyst "What is 6 times 7?" && node demo/rows/ask-server.ts 'POST /tasks {"instruction": "Calculate fibonacci(20)"}' && node demo/rows/converse.ts demo/rows/mcp-call.jsonl '"id":2' drydock mcp`,
    model: true,
    expect: { prints: ["It is 42.", /POST \/tasks → 200 .*"result":6765/, /"structuredContent":.*"result":6765/] },
  },
];
