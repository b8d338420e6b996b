import { type CommandRoute, DrydockError } from "@drydock/protocol";
import { type EnabledCommand, type Registry, type Route, route } from "../../extensions/index.ts";

/**
 * The actions of a request. A command of an extension that can't be used now is not unknown: it is routed, and refused
 * when its turn comes.
 */
export async function routeCall(
  registry: Registry,
  request: string | CommandRoute,
  commands: readonly EnabledCommand[],
): Promise<Route[]> {
  try {
    return route(request, commands);
  } catch (error) {
    if (!(error instanceof DrydockError) || error.code !== "extension.not_found") throw error;
    const all = (await registry.list()).flatMap(({ manifest, commands: own }) =>
      own.map((command) => ({ extension: manifest.id, command })),
    );
    const others = all.filter(({ command }) => !commands.some((each) => each.command === command));
    if (others.length === 0) throw error;
    try {
      return route(request, [...commands, ...others]);
    } catch {
      throw error;
    }
  }
}
