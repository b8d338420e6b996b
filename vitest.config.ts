import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const soak = process.env.DRYDOCK_SOAK === "1";
const conditions = ["drydock-source"];

/** Small files that take long: left to the end, they would keep one core waiting for the other. */
const LONG = [
  ...["as-ordinary-user", "proof", "warm", "completion", "kill-goal", "kill-host", "wire", "load", "packaging"],
  ...["control", "bugs", "run-goal", "required-checks", "follow", "repl-terminal", "crashes", "killed"],
  ...["additions", "attacks", "reuse-conditions", "stalls", "suite-pairs", "stopped-driver", "python", "matrix"],
];

/** Tests that look at their own process: its memory, its children, its descriptors. What other files left there would count. */
const ALONE = ["packages/drydock/test/{attacks,landlock,soak}/**/*.test.ts", "test/**/*.test.ts"];

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => LONG.some((name) => moduleId.endsWith(`/${name}.test.ts`));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

const exclude = ["**/node_modules/**", "**/dist/**", ...(soak ? [] : ["**/*.soak.test.ts"])];
const projects = [
  { extends: true as const, test: { name: "alone", include: ALONE, exclude } },
  {
    extends: true as const,
    // Loading the code anew for each file took a tenth of the whole run.
    test: {
      name: "rooms",
      include: ["packages/*/{src,test}/**/*.test.ts"],
      exclude: [...exclude, ...ALONE],
      isolate: false,
    },
  },
];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    ...(soak ? { include: ["**/*.soak.test.ts"], exclude } : { projects }),
    // Tests start real processes and wait for them: two workers leave a third of two cores idle, three take no longer for a test.
    pool: "forks",
    maxWorkers: 3,
    sequence: { sequencer: LongFirst },
    execArgv: ["--conditions=drydock-source", "--disable-warning=ExperimentalWarning"],
    // Keys of whoever runs the tests must not decide that a model is asked.
    env: { ANTHROPIC_API_KEY: "", OPENAI_API_KEY: "", GEMINI_API_KEY: "", DRYDOCK_MODEL: "" },
    // Long enough for a slow machine that is busy with other things: whatever passes does not wait for these.
    testTimeout: soak ? 3_600_000 : 120_000,
    expect: { poll: { timeout: 20_000 } },
    hookTimeout: 120_000,
    teardownTimeout: 20_000,
  },
});
