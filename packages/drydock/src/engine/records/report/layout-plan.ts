/**
 * Draws a plan as layers: a task stands one layer after the last of those that it depends on. An edge that passes over
 * layers has a waypoint in each of them, which takes part in the ordering and keeps the line clear of other tasks.
 */
export interface PlanNode {
  id: string;
  dependsOn: readonly string[];
}

export interface Point {
  x: number;
  y: number;
}

export interface PlacedNode extends Point {
  id: string;
}

export interface PlacedEdge {
  from: string;
  to: string;
  /** Middles of the ends and of the waypoints between them, in order. */
  points: Point[];
}

export interface PlanLayout {
  direction: "right" | "down";
  nodes: PlacedNode[];
  edges: PlacedEdge[];
  width: number;
  height: number;
}

export interface PlanSizes {
  nodeWidth: number;
  nodeHeight: number;
  /** Between layers, and between neighbours in one layer. */
  layerGap: number;
  neighbourGap: number;
  /** Plans that fit into this width run to the right, others downwards. */
  pageWidth: number;
}

interface NodePosition {
  id: string;
  isTask: boolean;
  before: NodePosition[];
  after: NodePosition[];
  /** Which it is in its layer. */
  index: number;
  across: number;
}

const SWEEPS = 6;
const WAYPOINT_SHARE = 0.35;

export function layoutPlan(tasks: readonly PlanNode[], sizes: PlanSizes): PlanLayout {
  const depths = measureDepths(tasks);
  const { layers, chains } = buildLayers(tasks, depths);
  orderLayers(layers);
  const right = layers.length * (sizes.nodeWidth + sizes.layerGap) - sizes.layerGap <= sizes.pageWidth;
  const [along, across] = right ? [sizes.nodeWidth, sizes.nodeHeight] : [sizes.nodeHeight, sizes.nodeWidth];
  const extent = placeAcross(layers, across + sizes.neighbourGap, across);
  const depthOf = new Map(layers.flatMap((layer, depth) => layer.map((place) => [place, depth] as const)));
  const pointOf = (place: NodePosition): Point => {
    const main = (depthOf.get(place) ?? 0) * (along + sizes.layerGap) + along / 2;
    return right ? { x: main, y: place.across } : { x: place.across, y: main };
  };
  const length = Math.max(0, layers.length * (along + sizes.layerGap) - sizes.layerGap);
  return {
    direction: right ? "right" : "down",
    nodes: layers.flat().flatMap((place) => (place.isTask ? [{ id: place.id, ...pointOf(place) }] : [])),
    edges: chains.map(({ from, to, places }) => ({ from, to, points: places.map(pointOf) })),
    width: right ? length : extent,
    height: right ? extent : length,
  };
}

/** The longest way from a task without dependencies. An edge of a cycle, which no valid plan has, counts for nothing. */
function measureDepths(tasks: readonly PlanNode[]): Map<string, number> {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const depths = new Map<string, number>();
  const waiting = new Map(tasks.map(({ id, dependsOn }) => [id, dependsOn.filter((other) => byId.has(other)).length]));
  const dependents = new Map<string, string[]>();
  for (const { id, dependsOn } of tasks) {
    for (const other of dependsOn) dependents.set(other, [...(dependents.get(other) ?? []), id]);
  }
  const ready = tasks.filter(({ id }) => waiting.get(id) === 0).map(({ id }) => id);
  for (const id of ready) depths.set(id, 0);
  for (let id = ready.shift(); id !== undefined; id = ready.shift()) {
    for (const next of dependents.get(id) ?? []) {
      depths.set(next, Math.max(depths.get(next) ?? 0, (depths.get(id) ?? 0) + 1));
      const left = (waiting.get(next) ?? 0) - 1;
      waiting.set(next, left);
      if (left === 0) ready.push(next);
    }
  }
  for (const { id } of tasks) if (!depths.has(id)) depths.set(id, 0);
  return depths;
}

function buildLayers(tasks: readonly PlanNode[], depths: ReadonlyMap<string, number>) {
  const layers: NodePosition[][] = [];
  const add = (id: string, depth: number, isTask: boolean): NodePosition => {
    const place: NodePosition = { id, isTask, before: [], after: [], index: 0, across: 0 };
    layers[depth] ??= [];
    layers[depth]?.push(place);
    return place;
  };
  // Sorted by depth, so that no layer is made before the ones above it and none stays a hole.
  const sorted = [...tasks].sort((one, other) => (depths.get(one.id) ?? 0) - (depths.get(other.id) ?? 0));
  const places = new Map(sorted.map(({ id }) => [id, add(id, depths.get(id) ?? 0, true)]));
  const chains: { from: string; to: string; places: NodePosition[] }[] = [];
  for (const { id, dependsOn } of tasks) {
    for (const from of new Set(dependsOn)) {
      const [start, end] = [places.get(from), places.get(id)];
      const [first, last] = [depths.get(from) ?? 0, depths.get(id) ?? 0];
      if (!start || !end || first >= last) continue;
      const between = Array.from({ length: last - first - 1 }, (_, index) =>
        add(`${from} ${id}`, first + index + 1, false),
      );
      const chain = [start, ...between, end];
      for (const [index, place] of chain.entries()) {
        const next = chain[index + 1];
        if (!next) break;
        place.after.push(next);
        next.before.push(place);
      }
      chains.push({ from, to: id, places: chain });
    }
  }
  return { layers, chains };
}

/** Each layer by the mean position of its neighbours in the one before, then after, and so on: few lines cross then. */
function orderLayers(layers: readonly NodePosition[][]): void {
  const number = (layer: readonly NodePosition[]) => {
    for (const [index, place] of layer.entries()) place.index = index;
  };
  for (const layer of layers) number(layer);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const down = sweep % 2 === 0;
    for (const layer of down ? layers.slice(1) : layers.slice(0, -1).reverse()) {
      const weights = new Map(
        layer.map((place) => [
          place,
          mean((down ? place.before : place.after).map(({ index }) => index)) ?? place.index,
        ]),
      );
      layer.sort((one, other) => (weights.get(one) ?? 0) - (weights.get(other) ?? 0));
      number(layer);
    }
  }
}

/** Gives each place its position across the layers; returns how far they reach. */
function placeAcross(layers: readonly NodePosition[][], pitch: number, size: number): number {
  const apart = (one: NodePosition, other: NodePosition) =>
    one.isTask && other.isTask
      ? pitch
      : pitch * (one.isTask || other.isTask ? 0.5 + WAYPOINT_SHARE / 2 : WAYPOINT_SHARE);
  for (const layer of layers)
    settle(
      layer,
      layer.map(() => 0),
      apart,
    );
  for (let sweep = 0; sweep < SWEEPS * 2; sweep++) {
    const down = sweep % 2 === 0;
    for (const layer of down ? layers.slice(1) : layers.slice(0, -1).reverse()) {
      const wanted = layer.map(
        (place) => mean((down ? place.before : place.after).map(({ across }) => across)) ?? place.across,
      );
      settle(layer, wanted, apart);
    }
  }
  const all = layers.flat();
  if (all.length === 0) return 0;
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { across, isTask } of all) {
    low = Math.min(low, across - (isTask ? size / 2 : 0));
    high = Math.max(high, across + (isTask ? size / 2 : 0));
  }
  for (const place of all) place.across -= low;
  return high - low;
}

/** As near to where each wants to be as the distances between them allow; what is pushed aside is shared by all. */
function settle(
  layer: readonly NodePosition[],
  wanted: readonly number[],
  apart: (one: NodePosition, other: NodePosition) => number,
): void {
  let previous: NodePosition | undefined;
  for (const [index, place] of layer.entries()) {
    const want = wanted[index] ?? 0;
    place.across = previous ? Math.max(want, previous.across + apart(previous, place)) : want;
    previous = place;
  }
  const shift = mean(layer.map((place, index) => (wanted[index] ?? 0) - place.across)) ?? 0;
  for (const place of layer) place.across += shift;
}

function mean(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;
}
