/** What a step says of itself. The code may have written it. */
export function readStepReport(report: unknown): { variables: Record<string, string>; threadsLost: string[] } {
  const fields = (typeof report === "object" && report !== null ? report : {}) as {
    variables?: unknown;
    threadsLost?: unknown;
  };
  const isText = (value: unknown): value is string => typeof value === "string";
  const variables = Object.entries(typeof fields.variables === "object" ? { ...fields.variables } : {});
  const threadsLost = Array.isArray(fields.threadsLost) ? fields.threadsLost.filter(isText) : [];
  // The code names its threads, and the names stand in a sentence of ours.
  const shown = threadsLost.map((name) => (/^[\w .()-]{1,60}$/.test(name) ? name : "a thread with an unusual name"));
  return {
    variables: Object.fromEntries(variables.filter((entry): entry is [string, string] => isText(entry[1]))),
    threadsLost: shown.slice(0, 100),
  };
}
