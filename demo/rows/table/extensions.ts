import type { Row } from "../row.ts";

const SHIP = `'\\''{"ship": "Seestern"}'\\''`;

/** D: extensions and capabilities. */
export const EXTENSIONS: readonly Row[] = [
  {
    id: "D1",
    gives: "An extension is data: a manifest, its commands, a usage document; Drydock runs it",
    command: `D=$(mktemp -d); drydock ext new words --dir $D && drydock ext lint $D/words && drydock ext add $D/words --yes && (cd $D/words && find . -type f) && drydock do '/words hello "dear reader" | /words count'`,
    expect: {
      prints: ["words is a valid extension", "./extension.yaml", "./commands.yaml", "./docs/USAGE.md", '{"words": 3'],
    },
  },
  {
    id: "D2",
    gives: "Slash commands with quoting, help, completion and “did you mean”",
    command: `drydock do '/cvs average x'; drydock do '/csv average --help'; drydock do '/jq data ".a b" --data 1 extra'; node demo/rows/ask-server.ts 'POST /capabilities/complete {"line": "/csv av"}'`,
    expect: { prints: ["Did you mean /csv?", "-b, --by TEXT", "extra is too much", /complete → 200 .*average/] },
  },
  {
    id: "D3",
    gives: "Runners for tools, scripts, requests, browsers and analyses, and runners of your own",
    command: "node demo/rows/programs/runners.ts",
    expect: {
      prints: [
        "exec.echo: capability_result: hello from a tool",
        'python.script: capability_result: {"ship"',
        "node.script: capability_result: hello from Node",
        "api.call: capability_result: <title>Harbour",
        /browser\.navigate: capability_result: .*Two ships lie in the harbour/,
        "analyze.response: capability_result: JSON from",
        /analyze\.schema: capability_result: .*"type": "object"/,
        "rows.bytes: capability_result: hello in bytes",
      ],
    },
    gaps: [
      {
        what: "a runner of your own that gives text instead of bytes fails with words that do not say so",
        seen: /rows\.words: capability_error: .*it gave back no outcome/,
      },
    ],
  },
  {
    id: "D4",
    gives:
      "Analyses by a model know the usage document, and can't name a command that is not declared; plain ones without a model",
    command: `drydock do '/jq data . --data ${SHIP} | /jq analyze --question "What should I do next?"'; env -u DRYDOCK_MODEL -u OPENAI_API_KEY drydock do '/jq data . --data ${SHIP} | /jq analyze'`,
    model: true,
    expect: {
      prints: [
        "/jq filter .ship",
        "[struck out: not declared]",
        "Struck out of the answer: /jq destroy",
        "ship: string",
      ],
    },
    gaps: [
      {
        what: "a shell command that the model invents (`rm -rf …`) stays in the answer; nothing runs it",
        seen: /and `rm -rf \/tmp\/x`/,
      },
    ],
  },
  {
    id: "D5",
    gives: "Tools come from the extension's own folders first; own work directory, listed variables only, a timeout",
    command: `drydock ext add demo/rows/own-tool --yes; ROW_SHOWN=yes ROW_HIDDEN=no drydock do '/own-tool where'; drydock do '/own-tool slow'`,
    expect: {
      status: 4,
      prints: ["tools: /extension/tools/show-place, shown: yes, hidden: , files: 0", "limit.timeout"],
    },
    gaps: [
      {
        what: "an extension can't ask for more CPU time than the policy's default",
        command: `D=$(mktemp -d); drydock ext new cpu --dir $D && sed -i 's/permissions:/&\\n  limits: { cpuSeconds: 600 }/' $D/cpu/extension.yaml && drydock ext lint $D/cpu`,
        seen: /permissions\.limits\.cpuSeconds: unknown key/,
      },
    ],
  },
  {
    id: "D6",
    gives:
      "A conversation's responses are kept for 24 hours, 1 MB of each, and later commands use them (not shown: a response of more than 1 MB, and one after 24 hours)",
    command: `drydock do --session tour '/jq data . --data ${SHIP}'; drydock do --session tour '/jq filter .ship --raw'; drydock do --session tour '/jq data ".[0]" --raw --data '\\''["{{ history[1].json.ship }} again"]'\\'; drydock responses list --session tour --json`,
    expect: { prints: ["\nSeestern\n", "Seestern again", '"truncated":false', '"expiresAt":"', '"exitCode":0'] },
  },
  {
    id: "D7",
    gives: "Errors come with a hint; each call is on record: extension, command, user, session, success, time, error",
    command: `drydock do '/curl get https://example.org/' --user ann --session tour; drydock audit list --json`,
    expect: {
      prints: [
        "policy.network_denied",
        "hint: ",
        /"errorCode":"policy\.network_denied".*"extension":"curl","command":"curl","action":"get","user":"ann","session":"tour","durationMs":\d/,
      ],
    },
  },
  {
    id: "D8",
    gives:
      "Install, list, enable, disable, remove; a bound on calls at once, a queue, a history that lasts (not shown: calls that wait in the queue)",
    command: `drydock ext add demo/rows/own-tool --yes; drydock ext disable own-tool; drydock do '/own-tool where'; drydock ext enable own-tool; drydock do '/own-tool where'; drydock ext list; drydock ext remove own-tool; drydock policy show --explain; node demo/rows/ask-server.ts 'GET /capabilities/queue' 'GET /capabilities/history'`,
    expect: {
      prints: [
        "extension.disabled",
        "own-tool is enabled",
        /own-tool +1\.0\.0 +enabled/,
        "own-tool is removed",
        /extensions\.concurrency +2/,
        'queue → 200 {"calls":[]}',
        /history → 200 .*own-tool/,
      ],
    },
  },
  {
    id: "D9",
    gives: "Less than 10 ms on top of the tool itself",
    command: "node demo/rows/programs/overhead.ts",
    expect: { prints: ["overhead below 10 ms"] },
  },
];
