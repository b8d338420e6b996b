import { DrydockError, type ErrorInfo, ExtensionPermissions } from "@drydock/protocol";
import type { Download } from "../../extensions/index.ts";
import { matchHost } from "../../policy/index.ts";
import type { ExecPorts } from "../runs/exec-ports.ts";
import { recordOutcome } from "../runs/record/record-outcome.ts";
import { asDrydockError, refuseRun } from "../runs/refuse-run.ts";
import { grantPolicy } from "./grant-policy.ts";

type Ports = Pick<ExecPorts, "ledger" | "sandbox" | "policies">;

const TIMEOUT_SECONDS = 300;
const FILE = "download";

/** Nothing but Python's own library; redirects to other hosts end at the proxy. */
const PROGRAM = `
import http.client, json, sys, urllib.error, urllib.request
asked = json.load(sys.stdin)
try:
    size = 0
    with urllib.request.urlopen(asked["url"], timeout=60) as answer, open("${FILE}", "wb") as file:
        while piece := answer.read(1 << 20):
            size += len(piece)
            if size > asked["maxBytes"]:
                sys.exit("it is larger than %d MB" % (asked["maxBytes"] >> 20))
            file.write(piece)
except urllib.error.HTTPError as error:
    sys.exit("the server answered with status %d" % error.code)
except (OSError, ValueError, http.client.HTTPException) as error:
    sys.exit(str(getattr(error, "reason", None) or error))
`;

/** Fetches one file in the sandbox, as a run of its own that may reach that one host. */
export async function downloadFile(ports: Ports, { url, title, maxBytes, signal }: Download): Promise<Uint8Array> {
  const { ledger } = ports;
  const policy = await grantHost(ports, url);
  const work = { language: "python", code: PROGRAM } as const;
  const data = { policy, request: { language: work.language, url } };
  const { id: runId } = await ledger.createRun({ kind: "exec", title, workspace: null, data });
  const fail = async (error: unknown) =>
    explain(url, (await refuseRun(ledger, runId, asDrydockError(error))).error, "");
  try {
    const outcome = await ports.sandbox().run({
      ...{ work, policy, workspace: null, environment: {}, signal, trusted: true },
      stdin: JSON.stringify({ url, maxBytes }),
    });
    const { result, terminal, events } = await recordOutcome(ledger, runId, outcome);
    await ledger.finish(runId, terminal, events);
    const file = result.artifacts.find(({ name }) => name === FILE);
    if (!result.ok || !file) throw explain(url, result.error, result.stderr);
    return await ledger.artifacts.read(file.id);
  } catch (error) {
    if (error instanceof DrydockError && error.data.url === url) throw error;
    throw await fail(error);
  }
}

/** Installing an extension approves its downloads; the hosts in the owner's own policy are still the ceiling. */
async function grantHost({ policies }: Ports, url: string) {
  const { hostname, port, protocol } = new URL(url);
  const host = `${hostname}:${port || (protocol === "https:" ? 443 : 80)}`;
  const resolved = await policies.resolve({ preset: { python: { guard: "open" } } });
  const permissions = ExtensionPermissions.parse({ hosts: [host] });
  const request = { extension: "", permissions, timeoutSeconds: TIMEOUT_SECONDS, programs: "own" } as const;
  const { policy } = grantPolicy(resolved, request);
  if (matchHost(policy.network.allow, hostname, Number(host.slice(host.lastIndexOf(":") + 1)))) return policy;
  throw new DrydockError(
    "policy.network_denied",
    `${url} can't be fetched: the policy does not allow ${host}.`,
    `The owner can add it: \`drydock policy allow network ${host}\`.`,
    { url, host },
  );
}

function explain(url: string, error: ErrorInfo | null, stderr: string): DrydockError {
  if (error && error.code !== "code.exit") {
    const { code, message, hint, ...data } = error;
    return new DrydockError(code, `${url} can't be fetched: ${message}`, hint, { ...data, url });
  }
  const reason = stderr.trim().split("\n").at(-1)?.slice(0, 300) || "nothing came";
  const code = /status (404|410)$/.test(reason) ? "extension.not_found" : "extension.invalid";
  return new DrydockError(code, `${url} can't be fetched: ${reason}.`, "Check the address, and try again later.", {
    url,
  });
}
