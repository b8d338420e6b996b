import { type CommandRoute, DrydockError } from "@drydock/protocol";
import { type EnabledCommand, type Registry, type Route, route } from "../../extensions/index.ts";

/**
 * Which actions are meant. A word that belongs to an extension which can't be used now is told from one that nobody knows:
 * it is routed all the same, and refused when its turn comes.
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
