import { defineConfig } from "vitest/config";

const soak = process.env.DRYDOCK_SOAK === "1";
const conditions = ["drydock-source"];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    include: soak ? ["**/*.soak.test.ts"] : ["packages/*/{src,test}/**/*.test.ts", "test/**/*.test.ts"],
    exclude: ["**/node_modules/**", "**/dist/**", ...(soak ? [] : ["**/*.soak.test.ts"])],
    // Tests start real processes: a second worker fills the other core, more would only make them wait for each other.
    pool: "forks",
    maxWorkers: 2,
    execArgv: ["--conditions=drydock-source", "--disable-warning=ExperimentalWarning"],
    testTimeout: soak ? 3_600_000 : 60_000,
    hookTimeout: 120_000,
    teardownTimeout: 20_000,
  },
});
