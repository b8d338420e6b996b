import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../app/root-route.tsx";

export const policyRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/policy",
  component: lazyRouteComponent(() => import("./policy-page.tsx"), "PolicyPage"),
});
