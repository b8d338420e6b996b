import { expect, it } from "vitest";
import { createPathMap } from "./map-paths.ts";

const paths = createPathMap("/home/me/app");

it("maps paths and addresses of files of the workspace, and leaves everything else alone", () => {
  const message = {
    method: "session/prompt",
    params: {
      cwd: "/home/me/app",
      prompt: [
        { type: "text", text: "look at /home/me/app/a.ts" },
        { type: "resource_link", uri: "file:///home/me/app/a.ts", name: "a" },
        { type: "resource_link", uri: "https://example.org/home/me/app", name: "b" },
      ],
      locations: [{ path: "/home/me/app/src/x" }, { path: "/home/me/application/x" }, { path: "/etc/passwd" }],
    },
  };
  const mapped = paths.toAgent(message);
  expect(mapped).toEqual({
    method: "session/prompt",
    params: {
      cwd: "/work",
      prompt: [
        { type: "text", text: "look at /home/me/app/a.ts" },
        { type: "resource_link", uri: "file:///work/a.ts", name: "a" },
        { type: "resource_link", uri: "https://example.org/home/me/app", name: "b" },
      ],
      locations: [{ path: "/work/src/x" }, { path: "/home/me/application/x" }, { path: "/etc/passwd" }],
    },
  });
  expect(paths.toEditor(mapped)).toEqual(message);
});

it.each(["/etc", "/home/me", "/home/me/application", "/home/me/app/../other"])("%s lies outside", (path) => {
  expect(paths.inward(path)).toBeNull();
});

it.each([
  ["/home/me/app", "/work"],
  ["/home/me/app/..hidden", "/work/..hidden"],
  ["/home/me/app/a/../b", "/work/b"],
])("%s is %s inside", (path, inside) => {
  expect(paths.inward(path)).toBe(inside);
});
