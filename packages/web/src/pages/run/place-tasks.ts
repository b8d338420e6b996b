import type { PlanTask } from "@drydock/protocol";

export interface PlacedTask {
  id: string;
  /** How many tasks must be done one after the other before it. */
  column: number;
  row: number;
  dependsOn: readonly string[];
}

/** Each task stands to the right of all that it depends on, and as near as it can to the height of these. */
export function placeTasks(tasks: readonly Pick<PlanTask, "id" | "dependsOn">[]): PlacedTask[] {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const columns = new Map<string, number>();
  const columnOf = (id: string, above: readonly string[]): number => {
    const known = columns.get(id);
    if (known !== undefined) return known;
    const before = (byId.get(id)?.dependsOn ?? []).filter((each) => byId.has(each) && !above.includes(each));
    const column = Math.max(-1, ...before.map((each) => columnOf(each, [...above, id]))) + 1;
    columns.set(id, column);
    return column;
  };
  const groups = Map.groupBy(tasks, ({ id }) => columnOf(id, [id]));
  const rows = new Map<string, number>();
  const placed: PlacedTask[] = [];
  for (const [column, group] of [...groups].sort(([one], [other]) => one - other)) {
    const middle = ({ dependsOn }: { dependsOn: readonly string[] }) => {
      const known = dependsOn.flatMap((id) => rows.get(id) ?? []);
      return known.length === 0 ? 0 : known.reduce((all, row) => all + row, 0) / known.length;
    };
    const ordered = column === 0 ? group : group.toSorted((one, other) => middle(one) - middle(other));
    for (const [row, { id, dependsOn }] of ordered.entries()) {
      rows.set(id, row);
      placed.push({ id, column, row, dependsOn: dependsOn.filter((each) => byId.has(each)) });
    }
  }
  return placed;
}
