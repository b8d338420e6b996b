const SCHEME = "drydock://";

export const ARTIFACT_TEMPLATE = `${SCHEME}runs/{runId}/artifacts/{artifactId}`;
export const ARTIFACT_RANGE_TEMPLATE = `${ARTIFACT_TEMPLATE}{?start,end}`;
export const RUN_TEMPLATE = `${SCHEME}runs/{runId}`;
export const EVENTS_TEMPLATE = `${SCHEME}runs/{runId}/events`;
export const RECEIPT_TEMPLATE = `${SCHEME}runs/{runId}/receipt`;
export const DIFF_TEMPLATE = `${SCHEME}runs/{runId}/diff`;
export const RECORDS_TEMPLATE = `${SCHEME}runs/{runId}/records`;
export const RECORD_TEMPLATE = `${RECORDS_TEMPLATE}/{+path}`;

export function artifactUri(runId: string, artifactId: string): string {
  return `${SCHEME}runs/${encodeURIComponent(runId)}/artifacts/${encodeURIComponent(artifactId)}`;
}
