import type { Row } from "../row.ts";

const TAMPER = `import os, sqlite3; db = sqlite3.connect(os.environ["DRYDOCK_HOME"] + "/ledger.db"); db.execute("delete from events where seq = 1"); db.commit()`;

const STARTS = String.raw`python print\(1\) .* 0\.\d\d\nnode console\.log\(1\) .* 0\.\d\d\n`;

/** X: what goes beyond all of these. */
export const BEYOND: readonly Row[] = [
  {
    id: "X1",
    gives: "Each check result names the hash of the tree that it was made on; what nothing proves is called unproven",
    command: `drydock run --plan demo/rows/goals/unproven.plan.yaml --workspace demo/python-bugfix --apply never --model scripted:demo/rows/goals/unproven.yaml; drydock verify --checks demo/rows/checks.yaml --workspace demo/rework --json`,
    expect: { status: 1, prints: ["UNPROVEN", /("type":"(\w+)"[\s\S]*?"treeHash":"[0-9a-f]{64}"[\s\S]*?){7}/] },
  },
  {
    id: "X2",
    gives:
      "Nothing reaches your files until its checks pass; then all of it, or nothing (not shown: the delivery, which is in B10)",
    command: `W=$(mktemp -d); cp -r demo/python-bugfix/. $W; drydock run --goal "Fix add() so tests pass" --workspace $W --model scripted:demo/python-bugfix.lie.yaml; diff -r demo/python-bugfix $W && echo "not a byte is different"`,
    expect: { prints: ["FAILED Fix add()", "not a byte is different"], never: ["delivered: to"] },
  },
  {
    id: "X3",
    gives: "Any run can be executed again from its record, without a model, and each difference is named",
    command: `drydock exec -c 'print(6 * 7)'; drydock replay last; drydock exec -c 'import random; print(random.random())'; drydock replay last`,
    expect: { status: 1, prints: ["1 step, no divergence", "1 divergence", "✗ run: stdout"] },
  },
  {
    id: "X4",
    gives: "A ledger whose events are chained by hashes; one command finds what was changed",
    command: `export DRYDOCK_HOME=$(mktemp -d); drydock exec -c 'print(1)'; drydock audit verify; python3 -c '${TAMPER}'; drydock audit verify`,
    expect: { status: 1, prints: ["✓ The hash chain is intact: 1 run", "✗ run_", "Event 1 is missing"] },
  },
  {
    id: "X5",
    gives:
      "Python and Node start sooner in the sandbox than the bare interpreters, also where the policy allows a host (not shown: bash, which takes 0.97 of its bare start and 0.99 with a host allowed, when nothing else runs)",
    command: "drydock doctor; drydock policy allow network example.org:443; drydock doctor",
    expect: { prints: [new RegExp(`(${STARTS}[^]*){2}`)] },
  },
  {
    id: "X6",
    gives: "A step that fails leaves the interpreter as it was, and any earlier step can be returned to",
    command: `S=$(drydock session open); drydock session exec $S -c 'x = "first"'; drydock session exec $S -c 'x = "lost"; 1 / 0'; drydock session exec $S -c 'x'; drydock session exec $S -c 'x = "third"'; drydock session rollback $S --to 1; drydock session exec $S -c 'x'`,
    expect: {
      prints: [/code\.exception[\s\S]*first[\s\S]*The session is as it was after step 1[\s\S]*first/],
      never: [/^"?third/m],
    },
  },
  {
    id: "X7",
    gives: "One door: code, checks, tools of extensions and MCP servers have the same policy and the same ledger",
    command: `drydock policy deny command python3 jq; drydock exec -- python3 -V; drydock verify --checks demo/rows/checks.yaml --workspace demo/rework; drydock do '/jq data . --data 1'; drydock mcp test --command python3 server.py; drydock runs list; drydock audit verify`,
    expect: {
      prints: [
        /✗ policy\.command_denied — The policy does not allow the command python3/,
        /command.*refused.*python3/,
        /✗ policy\.command_denied — The policy does not allow the command jq/,
        /✗ policy\.command_denied — The MCP server/,
        /policy\.command_d.*python3 server\.py/,
        "The hash chain is intact",
      ],
    },
  },
];
