import type { CommandAction } from "@drydock/protocol";
import type { Values } from "./fill-text.ts";
import { listParameters } from "./settle-values.ts";

/** The addresses among the values, so that their hosts can be judged before anything starts. */
export function listUrls(action: CommandAction, values: Values): { name: string; url: URL }[] {
  return listParameters(action)
    .filter(({ name, type }) => type === "url" && Object.hasOwn(values, name))
    .flatMap(({ name }) => [values[name]].flat().map((value) => ({ name, url: URL.parse(String(value)) })))
    .flatMap(({ name, url }) => (url ? [{ name, url }] : []));
}
