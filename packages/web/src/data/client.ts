import { createClient, DrydockError } from "@drydock/client";
import { ErrorInfo } from "@drydock/protocol";
import { onConnection, setConnection } from "./connection.ts";

const HEALTH_MS = 2000;

/** The server that the page came from. Who asks is known by a cookie that no script can read. */
export const client = createClient({ baseUrl: window.location.origin, fetch: watchedFetch });

/** Says whether the server answers at all. */
async function watchedFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  try {
    const response = await fetch(input, init);
    setConnection("open");
    return response;
  } catch (error) {
    if (!init?.signal?.aborted) setConnection("waiting");
    throw error;
  }
}

onConnection((state) => {
  if (state === "waiting") window.setTimeout(askAgain, HEALTH_MS);
});

function askAgain(): void {
  client.health().catch(() => window.setTimeout(askAgain, HEALTH_MS));
}

export function toError(error: unknown): DrydockError {
  if (error instanceof DrydockError) return error;
  const info = ErrorInfo.safeParse(error);
  if (info.success) {
    const { code, message, hint, ...data } = info.data;
    return new DrydockError(code, message, hint, data);
  }
  const message = error instanceof Error ? error.message : String(error);
  return new DrydockError("internal", message, "Reload the page. If it happens again, report it.", {}, error);
}

/** The status of the server's answer, where it refused. */
export function statusOf(error: unknown): number | null {
  const { status } = toError(error).data;
  return typeof status === "number" ? status : null;
}
