import type { EndpointOptions } from "../../models/index.ts";
import { readModelSettings } from "./config-models.ts";
import type { EnvironmentVariables } from "./read-providers.ts";

/** How to reach the servers of all providers, for requests that ask for no text. */
export async function readEndpoints(home: string, environment: EnvironmentVariables): Promise<EndpointOptions> {
  const { options } = await readModelSettings({ home, environment });
  const { providers, prices, retries } = options;
  return { providers, prices, ...(retries !== undefined && { retries }) };
}
