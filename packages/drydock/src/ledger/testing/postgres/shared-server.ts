import { startPostgres } from "./start-postgres.ts";

/** Vitest's global setup of the tests that run on PostgreSQL: one server for all of them. */
export default async function setup({ config }: { config: { env: Record<string, string | undefined> } }) {
  const directory = config.env.DRYDOCK_TEST_POSTGRES;
  if (!directory) throw new Error("DRYDOCK_TEST_POSTGRES names no directory.");
  const server = await startPostgres({ directory });
  return () => server.stop();
}
