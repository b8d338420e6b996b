import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../app/root-route.tsx";

/** The parts of the page, in their order. */
export const SETUP_TABS = ["extensions", "plugins", "sources", "knowledge", "upstreams"] as const;
export type SetupTab = (typeof SETUP_TABS)[number];

export const setupRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/setup",
  validateSearch: ({ tab }: Record<string, unknown>): { tab?: SetupTab } => {
    const found = SETUP_TABS.find((each) => each === tab);
    return found ? { tab: found } : {};
  },
  component: lazyRouteComponent(() => import("./setup-page.tsx"), "SetupPage"),
});
