import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { PLAIN_PATH } from "./packages/drydock/src/base/testing/plain-path.ts";

const soak = process.env.DRYDOCK_SOAK === "1";
const conditions = ["drydock-source"];

/** Small files that take long: left to the end, they would keep one core waiting for the other. */
const LONG = [
  ...["as-ordinary-user", "proof", "warm", "completion", "kill-goal", "kill-host", "wire", "load", "packaging"],
  ...["control", "bugs", "run-goal", "required-checks", "follow", "repl-terminal", "crashes", "killed"],
  ...["additions", "attacks", "reuse-conditions", "stalls", "suite-pairs", "stopped-driver", "python", "matrix"],
  ...["follow-repair", "repair", "kill-repair", "script", "replay", "best-of", "run-in-worker", "ask-everywhere"],
  ...["flat", "mend-script", "compatibility", "images", "containers", "approvals", "awkward", "run-page", "acp"],
];

/** Tests that look at their own process: its memory, its children, its descriptors. What other files left there would count. */
const ALONE = [
  "packages/drydock/test/attacks/{as-ordinary-user,capture,kernel-memory,reports,session-capture}.test.ts",
  "packages/drydock/test/{landlock,soak}/**/*.test.ts",
  "test/**/*.test.ts",
];
/** Attacks share processes with each other, as they do for an ordinary user, but with no other tests. */
const ATTACKS = ["packages/drydock/test/attacks/**/*.test.ts"];

/** One project after the other: a process is shared only with the file that comes next. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => LONG.some((name) => moduleId.endsWith(`/${name}.test.ts`));
    const ofProject = Map.groupBy(await super.sort(files), ({ project }) => project.name);
    return [...ofProject]
      .sort(([one], [other]) => ORDER.indexOf(one) - ORDER.indexOf(other))
      .flatMap(([, sorted]) => [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]);
  }
}

/** What is kept in the ledger is tested on both databases. */
/** Several machines, and what only a server can do. */
const CLUSTER = ["packages/drydock/test/cluster/**/*.test.ts", "packages/drydock/src/queue/**/*.test.ts"];
const ON_POSTGRES = ["packages/drydock/src/ledger/**/*.test.ts", ...CLUSTER];
const ON_SQLITE_ONLY = ["packages/drydock/src/ledger/{database/sqlite,redact,signing}/**"];

const exclude = ["**/node_modules/**", "**/dist/**", ...(soak ? [] : ["**/*.soak.test.ts"])];
/**
 * Suites over the whole dock on PostgreSQL: a part of them, and with DRYDOCK_POSTGRES_SUITES=all, as `npm run soak` runs them,
 * all about the host, knowledge and sessions.
 */
const DOCK_SUITES =
  process.env.DRYDOCK_POSTGRES_SUITES === "all"
    ? ["packages/drydock/test/{host,knowledge}/*.test.ts", "packages/drydock/test/dock/session*.test.ts"]
    : [
        "packages/drydock/test/host/{host,two-hosts,left-messages}.test.ts",
        "packages/drydock/test/knowledge/search.test.ts",
      ];
/** What they do to the file of the ledger has no meaning there. */
const OF_THE_FILE = ["packages/drydock/test/{host,knowledge}/{killed,full-disk}.test.ts"];
const POSTGRES = {
  isolate: false,
  globalSetup: "packages/drydock/src/ledger/testing/postgres/shared-server.ts",
};
const inDirectory = (name: string) => ({ DRYDOCK_TEST_POSTGRES: join(tmpdir(), `drydock-${name}-${process.pid}`) });

// Loading the code anew for each file took a tenth of the whole run.
const projects = [
  { name: "alone", include: ALONE, exclude },
  { name: "attacks", include: ATTACKS, exclude: [...exclude, ...ALONE], isolate: false },
  {
    name: "rooms",
    include: ["packages/*/{src,test}/**/*.test.ts"],
    exclude: [...exclude, ...ALONE, ...ATTACKS, ...CLUSTER],
    isolate: false,
  },
  {
    name: "rooms-on-postgres",
    include: ON_POSTGRES,
    exclude: [...exclude, ...ON_SQLITE_ONLY],
    ...{ ...POSTGRES, env: inDirectory("postgres") },
  },
  {
    name: "docks-on-postgres",
    include: DOCK_SUITES,
    exclude: [...exclude, ...OF_THE_FILE],
    ...{ ...POSTGRES, env: inDirectory("docks") },
    setupFiles: "packages/drydock/test/testing/own-database.ts",
  },
].map((test) => ({ extends: true as const, test }));
const ORDER = projects.map(({ test }) => test.name);

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    ...(soak ? { include: ["**/*.soak.test.ts"], exclude } : { projects }),
    // Tests start real processes and wait for them: three workers leave a tenth of two cores idle.
    pool: "forks",
    maxWorkers: 4,
    sequence: { sequencer: LongFirst },
    execArgv: ["--conditions=drydock-source", "--disable-warning=ExperimentalWarning"],
    // Keys of whoever runs the tests must not decide that a model is asked.
    env: {
      PATH: PLAIN_PATH,
      ANTHROPIC_API_KEY: "",
      OPENAI_API_KEY: "",
      GEMINI_API_KEY: "",
      DRYDOCK_MODEL: "",
      DATABASE_URL: "",
    },
    // Long enough for a slow machine that is busy with other things: whatever passes does not wait for these.
    testTimeout: soak ? 3_600_000 : 120_000,
    expect: { poll: { timeout: 20_000 } },
    hookTimeout: 120_000,
    teardownTimeout: 20_000,
  },
});
