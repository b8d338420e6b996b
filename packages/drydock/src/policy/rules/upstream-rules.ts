import { matchWildcard } from "./wildcard.ts";

/** The name is the label of a host, `http://NAME.dock`; `*` stands for any part of one. */
export function describeUpstreamProblem(text: string): string | null {
  return /^(?=.{1,40}$)[a-z0-9*]([a-z0-9*-]*[a-z0-9*])?$/.test(text)
    ? null
    : "is not the name of an upstream (lower-case letters, digits and -, at most 40)";
}

/** Of the upstreams that the owner configured, those that the policy names. */
export function matchUpstreams(allow: readonly string[], configured: readonly string[]): string[] {
  return configured.filter((name) => allow.some((entry) => matchWildcard(entry, name)));
}
