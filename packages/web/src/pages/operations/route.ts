import { EVENT_GROUP_NAMES, type EventGroup } from "@drydock/protocol";
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../app/root-route.tsx";
import { RANGE_NAMES, type Range } from "../../data/ranges.ts";

/** The parts of the page, in their order. */
export const OPERATION_TABS = ["now", "audit", "storage", "access"] as const;
export type OperationTab = (typeof OPERATION_TABS)[number];

export interface OperationsSearch {
  tab?: OperationTab;
  /** How far back the charts go. */
  range?: Range;
  /** What the audit is searched for. */
  text?: string;
  groups?: readonly EventGroup[];
}

export const operationsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/operations",
  validateSearch: readOperationsSearch,
  component: lazyRouteComponent(() => import("./operations-page.tsx"), "OperationsPage"),
});

/** What is no value is left out: an address may be typed by hand. */
function readOperationsSearch(search: Record<string, unknown>): OperationsSearch {
  const tab = OPERATION_TABS.find((each) => each === search.tab);
  const range = RANGE_NAMES.find((each) => each === search.range);
  const wanted: unknown[] = Array.isArray(search.groups) ? search.groups : [];
  const groups = EVENT_GROUP_NAMES.filter((each) => wanted.includes(each));
  return {
    ...(tab && { tab }),
    ...(range && { range }),
    ...(typeof search.text === "string" && search.text !== "" && { text: search.text.slice(0, 200) }),
    ...(groups.length > 0 && { groups }),
  };
}
