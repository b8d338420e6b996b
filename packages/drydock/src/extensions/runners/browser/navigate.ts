import { join } from "node:path";
import { DrydockError, type ErrorInfo } from "@drydock/protocol";
import { hostNotGrantedError, timeoutError, toolFailedError } from "../../errors.ts";
import type { CapabilityCall, DrydockRunner, InnerResult, RunnerOutcome } from "../../ports.ts";
import { pickPart } from "./pick-part.ts";
import { type PageFailure, type PageReport, readPageReport } from "./read-page-report.ts";
import { DRIVER_TARGET, MAX_LINKS, MAX_TEXT_BYTES, type PageRequest, readPageRequest } from "./read-page-request.ts";

const DRIVER_DIRECTORY = join(import.meta.dirname, "browser-driver");
/** Measured for a plain page: 100 tasks, 190 MB, fewer than 128 descriptors. The rest is for pages that are not plain. */
const NEEDS = { memoryMb: 1024, processes: 256, openFiles: 1024 };

/** What a page was found to be. */
interface PageResult {
  /** The address that it led to. */
  url: string;
  status: number | null;
  title: string;
  text: string;
  links: { text: string; href: string }[];
  screenshot: RunnerOutcome["artifacts"][number] | null;
  /** `host:port` of requests that the policy refused. */
  refused: string[];
  /** Whether it was done loading. */
  complete: boolean;
}

/**
 * `browser.navigate`: opens an address in Chromium, inside the sandbox, and tells what is there. What the browser says of
 * a page is the page's word; which hosts were refused is the proxy's.
 */
export const navigate: DrydockRunner = async (call, ports) => {
  const request = readPageRequest(call);
  const ran = await ports.exec({
    language: "node",
    code: `require("${DRIVER_TARGET}/drive.cjs")`,
    stdin: JSON.stringify(request),
    mounts: [{ source: DRIVER_DIRECTORY, target: DRIVER_TARGET }],
    limits: NEEDS,
    quiet: true,
  });
  const pageReport = readPageReport(ran.stdout, { ...request, maxLinks: MAX_LINKS, maxTextBytes: MAX_TEXT_BYTES });
  const refused = [...new Set(ran.refused.map(nameHost))];
  if (pageReport === null)
    return fail(ran.error ?? toolFailedError("chromium", ran.exitCode, "").toInfo(), ran, request.url, refused);
  const { report, picture } = pageReport;
  const failure = "failure" in report ? report.failure : refusalOf(report, refused);
  if (failure) {
    const url = ("url" in report && report.url) || request.url;
    return fail(explain(failure, url, request, call, refused), ran, url, refused, report.notes);
  }
  const page = report as PageReport;
  const screenshot = picture && (await ports.storeArtifact(picture, "screenshot.png", "image/png"));
  const { url, status, title, text, links, settled } = page;
  const found: PageResult = { url, status, title, text, links, screenshot, refused, complete: settled };
  const { content, mime } = pickPart(call.values, found);
  return {
    ok: true,
    content: Buffer.from(content),
    mime,
    error: null,
    artifacts: screenshot ? [...ran.artifacts, screenshot] : ran.artifacts,
    metadata: { url, status, title, refused, complete: settled },
    notes: [...ran.notes, ...page.notes, ...describeRefused(refused)],
  };
};

function nameHost({ host, port }: InnerResult["refused"][number]): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** The proxy answers in a refused host's place, so that the browser takes its answer for the page. */
function refusalOf({ url, headers }: PageReport, refused: readonly string[]): PageFailure | null {
  const answered = Object.entries(headers).find(([name]) => name.toLowerCase() === "x-drydock-refused")?.[1];
  return answered !== undefined && refused.includes(answered) && hostOf(url) === answered
    ? { kind: "failed", reason: "refused" }
    : null;
}

function explain(
  failure: PageFailure,
  url: string,
  request: PageRequest,
  { extension }: CapabilityCall,
  refused: readonly string[],
): ErrorInfo {
  const { id, permissions } = extension.manifest;
  const host = hostOf(url);
  const { reason = "" } = failure;
  switch (failure.kind) {
    case "missing":
      return new DrydockError(
        "extension.tool_missing",
        "Chromium, which opens pages, was not found.",
        "Install it: `apt-get install chromium`.",
        { tool: "chromium", extension: id },
      ).toInfo();
    case "silent":
      return timeoutError(request.waitMs / 1000, `The page ${url}`).toInfo();
    case "download":
      return new DrydockError(
        "input.invalid",
        `${url} is a download, not a web page.`,
        "Fetch it with an action that is made for files.",
        { url },
      ).toInfo();
    case "failed":
      // Without any allowed host there is no proxy, so refused requests are not known.
      if (refused.includes(host) || reason.includes("ERR_PROXY_CONNECTION_FAILED")) {
        return hostNotGrantedError(host, id, permissions.hosts).toInfo();
      }
      return new DrydockError(
        "code.exception",
        `${url} could not be opened: ${reason || "there was no answer"}`,
        "See whether the host is up and reachable from this machine, and whether the address is right.",
        { url },
      ).toInfo();
    case "starved":
      return new DrydockError(
        "limit.processes",
        "The policy allows too few processes and threads for the browser.",
        `It needs ${NEEDS.processes}. The owner can raise the ceiling: drydock policy set limits.processes.max ${NEEDS.processes}`,
        { limit: "processes", wanted: NEEDS.processes },
      ).toInfo();
    case "browser":
      return toolFailedError("chromium", null, reason).toInfo();
    default:
      throw new Error(failure.kind satisfies never);
  }
}

function fail(
  error: ErrorInfo,
  ran: InnerResult,
  url: string,
  refused: string[],
  notes: readonly string[] = [],
): RunnerOutcome {
  const content = { url, refused };
  return {
    ok: false,
    content: Buffer.from(JSON.stringify(content, null, 2)),
    mime: "application/json",
    error,
    artifacts: ran.artifacts,
    metadata: content,
    notes: [...ran.notes, ...notes],
  };
}

function describeRefused(refused: readonly string[]): string[] {
  const more = refused.length > 5 ? ` and ${refused.length - 5} more` : "";
  return refused.length > 0 ? [`the page was kept from reaching ${refused.slice(0, 5).join(", ")}${more}`] : [];
}

/** `host:port`, as the proxy names it. */
function hostOf(url: string): string {
  const parsed = URL.parse(url);
  return parsed ? `${parsed.hostname}:${parsed.port || (parsed.protocol === "https:" ? 443 : 80)}` : url;
}
