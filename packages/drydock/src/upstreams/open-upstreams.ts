import type { ModelBudget, ModelPrice } from "@drydock/protocol";
import { createBudget } from "../models/index.ts";
import type { RunUpstreams, UpstreamRequest } from "../sandbox/index.ts";
import { createMeter } from "./meter/create-meter.ts";
import { spellKey } from "./redact-key.ts";
import type { Sender } from "./send-request.ts";
import { type Progress, type ServedUpstream, serveRequest } from "./serve-request.ts";
import { type Upstream, writeCredential } from "./upstream.ts";

/** In the place of a key, for programs that insist on one. */
export const PLACEHOLDER_KEY = "drydock-upstream";

export interface OpenUpstreamsOptions {
  upstreams: readonly Upstream[];
  /** For all requests of the run together. */
  budget: ModelBudget;
  prices: Readonly<Record<string, ModelPrice>>;
  sender: Sender;
  onRequest(request: UpstreamRequest): void;
}

/** The upstreams of one run or session. Its requests share one budget. */
export function openUpstreams({ upstreams, budget, prices, sender, onRequest }: OpenUpstreamsOptions): RunUpstreams {
  const shared = { limits: budget, budget: createBudget(budget) };
  const held = { bytes: 0 };
  const served = new Map<string, ServedUpstream>(
    upstreams.map((upstream) => {
      const meter = createMeter(shared, upstream.budget, upstream.pricedAs, prices);
      const spellings = spellKey(upstream.key, writeCredential(upstream));
      return [upstream.name, { upstream, meter, spellings, sender, held }];
    }),
  );
  const closing = new AbortController();
  const underWay = new Set<Progress>();

  function report(progress: Progress): void {
    if (!underWay.delete(progress)) return;
    onRequest({ ...progress });
  }

  return {
    names: [...served.keys()],
    secrets: [...served.values()].flatMap(({ spellings }) => spellings),
    has: (name) => served.has(name),
    environment: (address) => writeVariables(upstreams, address),
    async serve(name, path, request, response, signal) {
      const found = served.get(name);
      if (!found || closing.signal.aborted) {
        response.destroy();
        return;
      }
      const progress = startProgress(name, path, request.method ?? "GET");
      underWay.add(progress);
      await serveRequest(found, path, request, response, progress, AbortSignal.any([signal, closing.signal]));
      report(progress);
    },
    close() {
      closing.abort();
      for (const progress of [...underWay]) report(progress);
    },
  };
}

const MAX_PATH_CHARS = 300;

/** The query is not kept: it may hold what the run searched for. */
function startProgress(upstream: string, target: string, method: string): Progress {
  const [path = ""] = target.split("?", 1);
  const shown = path.slice(0, MAX_PATH_CHARS).replace(/[^\x21-\x7e]/g, "?");
  return { upstream, method: method.slice(0, 20), path: shown, status: 0, bytesUp: 0, bytesDown: 0 };
}

/** `NAME_BASE_URL` where the usual variable belongs to another upstream of the run, or there is none. */
function writeVariables(upstreams: readonly Upstream[], address: string): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const { name, variables: usual } of upstreams) {
    const url = `${address}/${name}.dock${usual.path}`;
    const own = `${name.toUpperCase().replaceAll("-", "_")}_BASE_URL`;
    for (const variable of [...usual.address, own]) variables[variable] ??= url;
    for (const variable of usual.key) variables[variable] ??= PLACEHOLDER_KEY;
  }
  return variables;
}
