import type { Row } from "../row.ts";

const NUMBERS = `--goal "Write three numbers, then their sum" --model scripted:demo/rows/goals/numbers.yaml`;
const HELLO = `--workspace $W --id hello --instructions "Write hello.txt" --check '{"type": "file_exists", "path": "hello.txt"}'`;
const ASK_SERVER = "node demo/rows/ask-server.ts";
const BUGFIX = "scripted:demo/python-bugfix.script.yaml";

/** B: goals, plans and proof. */
export const GOALS: readonly Row[] = [
  {
    id: "B1",
    gives: "A goal becomes a plan of tasks, dependencies and checks, which is validated, stored and readable",
    command: `drydock plan --goal "Fix add() so tests pass" --workspace demo/python-bugfix --model ${BUGFIX}; drydock runs list --kind goal; ${ASK_SERVER} --model=${BUGFIX} "POST /plans {\\"goal\\": \\"Fix add()\\", \\"workspace\\": \\"$PWD/demo/python-bugfix\\"}" 'GET /runs/last/plan'; drydock run --plan demo/rows/goals/circle.plan.yaml --workspace "$(mktemp -d)" --model repair`,
    expect: {
      status: 1,
      prints: [
        "- id: fix-add",
        "cmd: pytest -q",
        /succeeded .*Fix add\(\)/,
        /POST \/plans → 200 .*"id":"fix-add"/,
        /GET \/runs\/last\/plan → 200 .*"state":"accepted"/,
        "plan.invalid",
        "depend on each other in a circle",
      ],
    },
  },
  {
    id: "B2",
    gives: "Tasks run in the order of their dependencies, at once where they can, each in its own layer, on record",
    command: `drydock run --plan demo/rows/goals/parallel.plan.yaml --workspace "$(mktemp -d)" --model scripted:demo/rows/goals/parallel.yaml; drydock runs events last`,
    expect: {
      prints: [
        /left: started\nright: started[\s\S]*(left|right): done[\s\S]*(left|right): done\nboth: started[\s\S]*both: done/,
        "PASSED",
        /task\.started[\s\S]*attempt\.finished[\s\S]*check\.finished[\s\S]*task\.done/,
      ],
    },
  },
  {
    id: "B3",
    gives: "A sub-agent writes only inside its workspace, and there only inside its scope",
    command: `drydock run --plan demo/rows/goals/scope.plan.yaml --workspace "$(mktemp -d)" --model scripted:demo/rows/goals/scope.yaml`,
    expect: {
      prints: [
        "✗ write /etc/drydock-row",
        "✗ write ../escaped.txt",
        '"src/elsewhere.txt" is outside the write scope',
        "· write notes/note.txt",
        "PASSED",
      ],
    },
  },
  {
    id: "B4",
    gives: "A deterministic verifier: files, commands, JSON Schemas and HTTP, each result with a structured reason",
    command: "drydock verify --checks demo/rows/checks.yaml --workspace demo/rework --json",
    expect: {
      status: 1,
      prints: [
        ...["file_exists", "file_contains", "command", "command_contains", "http_check", "json_schema"].map(
          (type) => new RegExp(`"type":"${type}","verdict":"passed"`),
        ),
        /"type":"file_contains","verdict":"failed","reason":"harbour\.py does not contain[^}]*"code":"not_found"/,
      ],
    },
  },
  {
    id: "B5",
    gives: "A failed check becomes a request for rework, which drives the next attempt until the checks pass",
    command: `D=$(mktemp -d); drydock run ${NUMBERS} --workspace $D --apply never; drydock runs report last --out $D/report.html --directory $D/records; cat $D/records/attempts/sum/1/rework_request.json $D/records/attempts/sum/2/verification.json`,
    expect: {
      prints: [
        '"attemptsLeft": 1',
        '"reason": "sum.txt does not contain \\"12\\"."',
        "sum: done in 2 attempts",
        '"verdict":"passed"',
      ],
    },
  },
  {
    id: "B6",
    gives:
      "A policy that always holds: write scope, commands, timeouts, concurrency; the system's where you wrote none (not shown: more runs at once than the policy allows)",
    command: `drydock policy set commands.allow.max '[ls]' && drydock policy set files.write.max '[src/**]' && drydock policy show --explain; drydock exec -- curl example.org; drydock exec --workspace demo/python-bugfix -c 'open("x.txt", "w")'; drydock exec --timeout 9999 -c 'print(1)'`,
    expect: {
      status: 3,
      prints: [
        /commands\.allow +\[ls\].*policy\.yaml/,
        /limits\.concurrency +4 +32 +system/,
        "policy.command_denied",
        "policy.path_denied",
        /limits\.wallSeconds.*ceiling is 3600/,
      ],
    },
  },
  {
    id: "B7",
    gives: "Advice for models that a person approves or rejects; only an approved one reaches a prompt",
    command: `W=$(mktemp -d); P=$(mktemp); echo "Greet in Latin" > $P; drydock profile propose --workspace $W --file $P; drydock plan --goal "Say hello" --workspace $W; node demo/rows/ask-server.ts "POST /api/profile/approve {\\"workspace\\": \\"$W\\", \\"by\\": \\"ada\\"}"; drydock plan --goal "Say hello" --workspace $W; drydock profile reject --workspace $W`,
    model: true,
    expect: { prints: [/id: without-profile[\s\S]*approve → 200[\s\S]*id: with-profile[\s\S]*is rejected/] },
  },
  {
    id: "B8",
    gives: "Single tasks beside plans, with their states, and a snapshot of the whole plan at the end",
    command: `W=$(mktemp -d); drydock task add ${HELLO}; drydock task list --workspace $W; drydock task run --workspace $W --model scripted:demo/rows/goals/hello.yaml; drydock task list --all; ${ASK_SERVER} "GET /backlog?workspace=$W" 'GET /runs/last/records/file?path=snapshot.json'`,
    expect: {
      prints: [
        /hello +todo/,
        "delivered: to",
        /hello +done/,
        /GET \/backlog\S* → 200 .*"id":"hello".*"status":"done"/,
        /"tasks": \[[\s\S]*"id": "hello",[\s\S]*"status": "done"/,
      ],
    },
  },
  {
    id: "B9",
    gives: "A task that does not move is found stale, and the run pauses or starts it again",
    command: `drydock run --plan demo/rows/goals/stale.plan.yaml --workspace "$(mktemp -d)" --stale-seconds 1 --stale-auto-reset --model scripted:demo/rows/goals/stale.yaml`,
    expect: { prints: ["hello: stale: Nothing has moved for 1 s.", "hello: reset", "hello: done", "PASSED"] },
    gaps: [
      {
        what: "the time is an option of the command only: no variable, no setting in config.yaml",
        command: `mkdir -p $DRYDOCK_HOME && echo 'goals: { staleSeconds: 60 }' > $DRYDOCK_HOME/config.yaml && drydock doctor`,
        seen: /config\.yaml.*unknown key/,
      },
    ],
  },
  {
    id: "B10",
    gives: "A goal in words on a demo workspace ends in a delivered fix; an HTTP server says that it is healthy",
    command: `W=$(mktemp -d); cp -r demo/python-bugfix/. $W; drydock run --goal "Fix add() so tests pass" --workspace $W --model scripted:demo/python-bugfix.script.yaml; grep return $W/calculator/basics.py; node demo/rows/ask-server.ts 'GET /health'`,
    expect: { prints: ["PASSED Fix add()", "return a + b", 'GET /health → 200 {"status":"ok"'] },
  },
  {
    id: "B11",
    gives: "An illegal path in a check is refused with a structured reason",
    command: "drydock verify --checks demo/rows/illegal-path.yaml --workspace demo/rework --json",
    expect: { status: 1, prints: ['"verdict":"refused"', '"code":"illegal_path"', "outputs/test-fail.log{}"] },
  },
  {
    id: "B12",
    gives: "All of it is on record and can be executed again later, attempt by attempt",
    command: `drydock run ${NUMBERS} --workspace "$(mktemp -d)" && drydock runs events last && drydock replay last && drydock audit verify && ${ASK_SERVER} 'GET /audit/verify'`,
    expect: {
      prints: [
        "rework.requested",
        "run.succeeded",
        "no divergence (verdict passed",
        "The hash chain is intact",
        /GET \/audit\/verify → 200 \{"ok":true/,
      ],
    },
  },
];
