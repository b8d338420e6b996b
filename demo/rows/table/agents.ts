import type { Row } from "../row.ts";

const GRADE = String.raw`const grade = agent({\n  input: { text: "string" },\n  output: { grade: "string" },\n  prompt: "Grade this: {{ text }}",\n})\n`;
const LIBRARIES = ["numpy", "pandas", "matplotlib", "requests", "httpx", "bs4", "lxml"];

/** C: agents as functions, the library, the REPL, the server. */
export const AGENTS: readonly Row[] = [
  {
    id: "C1",
    gives:
      "An agent is a typed function: a prompt template, typed input, validated output (a wrong answer is sent back)",
    command: `drydock agents call examples/agents.ts extractContact "Write to Ada Lovelace, ada@example.org" --json`,
    model: true,
    expect: { prints: ['"output":{"name":"Ada Lovelace","email":"ada@example.org"}', '"calls":2'] },
  },
  {
    id: "C2",
    gives: "An agent that executes: words in, code written and run, code and result back",
    command: "node examples/fibonacci.ts",
    model: true,
    expect: { prints: ["result = fib(20)", "→ 6765"] },
  },
  {
    id: "C3",
    gives:
      "A code executor: lists of imports and calls, limits of time, CPU and memory, the last value captured (not shown: code that uses up its CPU time)",
    command: `P=$(mktemp); echo 'python: { guard: strict, imports: { block: [json] } }' > $P; drydock exec --policy $P -c 'import json'; drydock exec --policy $P -c 'eval("1")'; drydock exec --timeout 1 -c 'while True: pass'; drydock exec --json --memory 64 -c '6 * 7'`,
    expect: {
      prints: ["policy.import_denied", "policy.call_denied", "limit.timeout", /"result":42\b/, '"peakMemoryBytes":'],
    },
  },
  {
    id: "C4",
    gives:
      "A REPL: agents over several lines, calls, code, commands, history, completion; the guard is lifted by --unsafe (not shown: history and completion, which need a terminal)",
    command: `printf '${GRADE}/agents\\nawait grade("Call me Ishmael.")\\n/run grade x\\nexecute 6 * 7\\n/help\\n/exit\\n' | drydock repl --unsafe`,
    model: true,
    expect: { prints: ["Defined grade", "grade(text)", '{"grade": "good"}', "\n42\n", "/exit  "] },
    gaps: [
      {
        what: "no --net, --policy or --requirements, so that packages and hosts can't be asked for",
        command: "for option in net policy requirements; do drydock repl --$option x < /dev/null; done",
        seen: /Unknown option '--(net|policy|requirements)'/,
      },
    ],
  },
  {
    id: "C5",
    gives: "A file of agents is served over HTTP, with POST /execute and POST /agents/NAME",
    command: `node demo/rows/ask-server.ts examples/agents.ts 'POST /execute {"code": "print(6 * 7)"}' 'POST /agents/summarize {"input": "A ship lies in the dock. It is dry."}'`,
    model: true,
    expect: {
      prints: [/POST \/execute → 200 .*"stdout":"42\\n"/, /POST \/agents\/summarize → 200 .*A ship lies in the dock\./],
    },
  },
  {
    id: "C6",
    gives: "One-off execution, output while the code runs, a debug mode, hooks after generation",
    command: "drydock exec --debug -c 'print(6 * 7)'; node examples/hooks.ts",
    model: true,
    expect: {
      prints: [
        "42\n",
        "debug policy",
        "run.created",
        "result after the hook mended the code: 55",
        "came before the end: 3",
      ],
    },
  },
  {
    id: "C7",
    gives: "The usual libraries, where the policy allows them",
    command: `for name in ${LIBRARIES.join(" ")}; do drydock exec -c "import $name; print('has', '$name')" 2>&1 | grep -e ^has -e ✗; done`,
    expect: { prints: LIBRARIES.map((name) => `has ${name}`), never: ["is not installed"] },
  },
  {
    id: "C8",
    gives: "A file system of its own for each run, containers for full isolation, a kernel for Jupyter",
    command: `drydock exec --workspace demo/python-bugfix -c 'import os; open("new.txt", "w"); print(os.listdir("/home"))'; ls demo/python-bugfix; for engine in podman gvisor; do drydock policy set sandbox.backends "[$engine]"; drydock exec --json -c 'import os; print("pid", os.getppid(), os.listdir("/home"))'; done; drydock policy unset sandbox.backends; drydock jupyter install --prefix "$(mktemp -d)"; node demo/rows/converse.ts demo/rows/jupyter-cell.jsonl execute_result drydock jupyter kernel`,
    expect: {
      prints: [
        "['dock']",
        "+ new.txt",
        /^pyproject\.toml$/m,
        /"pid 1 \['dock'\]\\n".*"backend":"podman"/,
        /"pid 1 \['dock'\]\\n".*"backend":"gvisor"/,
        "share/jupyter/kernels/drydock",
        /execute_result.*"text\/plain":"42"/,
      ],
      never: [/^new\.txt$/m],
    },
  },
];
