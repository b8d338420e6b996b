import type { Socket } from "node:net";
import { decideTarget, isUpstreamHost, type ResolveHost, type TargetDecision } from "./decide-target.ts";
import { dialHost } from "./dial-host.ts";
import type { AdmittedRun } from "./egress-run.ts";
import { type EgressTarget, formatTarget } from "./parse-target.ts";

/** An answer that the proxy gives itself. */
export interface ProxyAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export type OpenedTarget =
  | { kind: "open"; target: EgressTarget; upstream: Socket }
  | { kind: "answer"; answer: ProxyAnswer };

export interface TargetOpening {
  admitted: AdmittedRun;
  authority: string;
  defaultPort?: number;
  resolveHost: ResolveHost;
  dialMs: number;
}

/** From the request line's authority to a connected socket, or to the answer that says why there is none. */
export async function openTarget(opening: TargetOpening): Promise<OpenedTarget> {
  const { admitted, authority, defaultPort, resolveHost, dialMs } = opening;
  const decision = await decideTarget(admitted.run, authority, defaultPort, resolveHost);
  if (decision.kind === "refused") admitted.refuse(decision.host, decision.port, decision.reason);
  if (decision.kind !== "admitted") return { kind: "answer", answer: explainDecision(decision) };
  const { target, addresses } = decision;
  try {
    const signal = AbortSignal.any([admitted.signal, AbortSignal.timeout(dialMs)]);
    const upstream = await dialHost(target, addresses, signal);
    admitted.follow(target, upstream);
    return { kind: "open", target, upstream };
  } catch (error) {
    const reason = describeDialError(error, dialMs);
    return plainAnswer(502, `Drydock could not reach ${formatTarget(target.host, target.port)}: ${reason}`);
  }
}

/** By this a client tells what the proxy says for itself from what a host said. */
const OWN_ANSWER = { "X-Drydock-Proxy": "1" };

export function plainAnswer(status: number, text: string): { kind: "answer"; answer: ProxyAnswer } {
  return { kind: "answer", answer: { status, headers: OWN_ANSWER, body: `${text}\n` } };
}

function explainDecision(decision: Exclude<TargetDecision, { kind: "admitted" }>): ProxyAnswer {
  switch (decision.kind) {
    case "malformed":
      return {
        status: 400,
        headers: OWN_ANSWER,
        body: `Drydock's proxy can't serve this request: ${decision.reason}.\n`,
      };
    case "unresolved":
      return { status: 502, headers: OWN_ANSWER, body: `Drydock's proxy: ${decision.reason}.\n` };
    case "refused": {
      const refused = formatTarget(decision.host, decision.port);
      // Only a host that was read without doubt is put into a command that somebody may paste into a shell.
      const remedy =
        decision.remedy === null
          ? isUpstreamHost(decision.host)
            ? `Ask for http://${decision.host}/, which this run's policy has to name in network.upstreams.`
            : "Write the host as a plain name or address."
          : `The owner can allow it: drydock policy allow network ${decision.remedy}`;
      const body = `Drydock refused the connection to ${refused}: ${decision.reason}.\n${remedy}\n`;
      return { status: 403, headers: { "X-Drydock-Refused": refused }, body };
    }
    default:
      return decision satisfies never;
  }
}

function describeDialError(error: unknown, dialMs: number): string {
  if (!(error instanceof Error)) return "the connection failed";
  if (error.name === "AbortError") return `no answer within ${dialMs / 1000} s`;
  const code = (error as NodeJS.ErrnoException).code;
  return code === undefined ? error.message : code;
}
