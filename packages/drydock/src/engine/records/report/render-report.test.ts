import { hash } from "node:crypto";
import type { RunEvent } from "@drydock/protocol";
import { describe, expect, test } from "vitest";
import { renderReport } from "../index.ts";
import { type GoalRunOptions, withGoalRun } from "../testing/add-goal-run.ts";
import { makeCheck, NASTY, PROOF, type VerifyRunOptions, withVerifyRun } from "../testing/add-verify-run.ts";
import { checkMarkup } from "../testing/check-markup.ts";

const render = (options?: GoalRunOptions, change: (events: RunEvent[]) => RunEvent[] = (events) => events) =>
  withGoalRun(async ({ run, events, readers }) => renderReport(run, change(events), readers), options);

const renderVerify = (options: VerifyRunOptions) =>
  withVerifyRun(options, ({ run, events, readers }) => renderReport(run, events, readers));

describe("the report", () => {
  test("tells goal, verdict, tree, model, cost, plan, attempts, checks, diffs and delivery", async () => {
    const page = await render();
    for (const text of [
      "Fix add() so that the tests pass, and report the coverage",
      "<strong>passed</strong>",
      "f".repeat(64),
      "scripted</span>",
      "$0.07",
      "7,200 tokens in, 2,040 out",
      "4 of 4 done",
      "It exited with 1 instead of 0.",
      "1 failed in 0.02s",
      "also passes without the change: it proves nothing about the change",
      "a rule that holds for every task",
      "The model says:",
      '<span class="added">+    return a + b\n</span>',
      '<span class="removed">-    return a - b\n</span>',
      "<strong>Rejected</strong>, 2 attempts left",
      "Applied to <code>/home/ada/calculator</code>",
      "calculator/basics.py",
      "1 rejected plan",
      "All checks of all tasks pass on the whole result.",
      "b".repeat(64),
    ]) {
      expect(page).toContain(text);
    }
    expect(page.match(/<g class="node good"/g)).toHaveLength(4);
    expect(page.match(/<path class="edge"/g)).toHaveLength(4);
    expect(page.match(/<details class="attempt"/g)).toHaveLength(5);
  });

  test("tells what was changed and what the checks found before any hash of a tree", async () => {
    const page = (await render()).slice((await render()).indexOf("<main>"));
    const firstHash = page.search(/<code class="hash">|class="trees"/);
    expect(page.indexOf('<span class="added">+    return a + b')).toBeGreaterThan(0);
    expect(page.indexOf('<span class="added">+    return a + b')).toBeLessThan(firstHash);
    expect(page.indexOf("1 failed in 0.02s")).toBeLessThan(firstHash);
  });

  test("opens the last attempt with a failed check where a task failed, else the last", async () => {
    const opened = (page: string) => [...page.matchAll(/<details class="attempt" open><summary>.*?Attempt (\d)/g)];
    expect(opened(await render()).map(([, number]) => number)).toEqual(["2", "1", "1", "1"]);
    // The second attempt of the first task made no check, and the task was given up.
    const [first] = opened(
      await render({}, (events) => {
        const { task } = events.find(({ type, data }) => type === "attempt.started" && data.attempt === 2)?.data ?? {};
        const isLater = ({ data }: RunEvent) => data.task === task && data.attempt === 2;
        return events
          .filter((event) => !(event.type === "check.finished" && isLater(event)))
          .filter(({ type, data }) => !(type === "task.verified" && data.task === task && data.attempt === 2))
          .map((event) =>
            event.type === "task.done" && event.data.task === task
              ? { ...event, type: "task.failed", data: { task, reason: "given up" } }
              : event,
          );
      }),
    );
    expect(first?.[1]).toBe("1");
  });

  test("shows the checks of a directory, test by test, with control and strength", async () => {
    const failed = { verdict: "failed", code: "exit_code", reason: "It ended with status 1." } as const;
    const page = await renderVerify({ verdict: "failed", checks: [makeCheck({ ...failed, ...PROOF }), makeCheck()] });
    for (const text of [
      '<h2>Checks <span class="quiet">1 of 2 passed</span></h2>',
      "<p>27 tests: 3 newly passing, 9 still passing, 12 newly failing, 1 still failing, 1 missing, 1 skipped (2 added)</p>",
      '<details open><summary>Newly failing <span class="quiet">12</span></summary>',
      '<li><code>tests/test_div.py::TestDiv::test_9</code></li><li class="quiet">and 2 more</li>',
      "<details open><summary>Missing",
      "<details><summary>Newly passing",
      "control: 24 expectations made wrong on purpose, the check failed as it should",
      "strength: 18 of 20 mutants killed (90 %)",
      "<code>src/calc.py:12</code> compare<pre>@@ -12 +12 @@",
    ]) {
      expect(page).toContain(text);
    }
    expect(page).not.toContain("test_10</code>");
    // A directory that is judged is never changed.
    expect(page).not.toContain("What was delivered");
  });

  test("says UNPROVEN and why, where the checks passed and prove nothing", async () => {
    const control = { kind: "expectations", edits: 3, failed: false, survivors: ["a::b"], reason: "" } as const;
    const page = await renderVerify({
      verdict: "unproven",
      checks: [makeCheck({ control: { ...control, survivors: [...control.survivors] } })],
      reason: "No check fails without the change.",
    });
    expect(page).toContain('<header class="card head doubt">');
    expect(page).toContain('<span class="badge doubt"><span aria-hidden="true">≈</span> UNPROVEN</span>');
    expect(page).toContain('<p class="why">No check fails without the change.</p>');
    expect(page).toContain(
      '<p class="line warn"><span aria-hidden="true">≈</span> control: the check still passes with wrong',
    );
    expect(page).toContain("<code>a::b</code>");
    const goal = await render({}, (events) =>
      events.map((event) =>
        event.type === "task.verified"
          ? { ...event, data: { ...event.data, verdict: "unproven", reason: "It proves nothing." } }
          : event,
      ),
    );
    expect(goal).toContain('<p class="reason-line warn">It proves nothing.</p>');
    expect(goal).toContain('<span class="badge doubt">');
  });

  test("shows hostile evidence of tests as text", async () => {
    const { tests, strength } = PROOF;
    const page = await renderVerify({
      verdict: "failed",
      checks: [
        makeCheck({
          verdict: "failed",
          tests: { ...tests, newlyFailing: [NASTY], missing: ["<img src=x>"] },
          control: { kind: "none", edits: 0, failed: null, survivors: [NASTY], reason: NASTY },
          strength: { ...strength, survivors: [{ path: NASTY, line: 1, operator: NASTY, diff: NASTY }] },
        }),
      ],
    });
    expect(checkMarkup(page).names).not.toContain("script");
    expect(checkMarkup(page).names).not.toContain("img");
    expect(page).toContain("&lt;img src=x&gt;");
  });

  test("needs nothing but itself, and its policy lets nothing in", async () => {
    const page = await render();
    const style = /<style>([\s\S]*)<\/style>/.exec(page)?.[1] ?? "";
    expect(page).toContain(
      `content="default-src &#39;none&#39;; style-src &#39;sha256-${hash("sha256", style, "base64")}&#39;; base-uri`,
    );
    // An attribute named style, a script or a resource would be blocked, and so must not be needed.
    const { names, attributes } = checkMarkup(page);
    expect(names).not.toContain("script");
    for (const name of ["img", "link", "iframe", "object", "base", "form"]) expect(names).not.toContain(name);
    expect(attributes.filter(([name]) => /^(style|src|srcset|on\w+|xlink:href|action)$/.test(name))).toEqual([]);
    const links = attributes.filter(([name]) => name === "href").map(([, value]) => value);
    expect(links.filter((link) => !link.startsWith("#"))).toEqual([]);
    const targets = attributes.filter(([name]) => name === "id").map(([, value]) => `#${value}`);
    expect(links.filter((link) => !targets.includes(link))).toEqual([]);
  });

  test("shows hostile text as text, wherever it comes from", async () => {
    const hostile = `</title></style><script>alert(1)</script><img src=x onerror=alert(1)>'"\u202e\u001b[31m{{ x }}`;
    const page = await render({ goal: hostile, title: hostile, diff: `+${hostile}`, output: hostile }, (events) =>
      events.map((event) => ({ ...event, data: replaceTexts(event.data, hostile) as RunEvent["data"] })),
    );
    const calm = checkMarkup(await render());
    const { names, attributes } = checkMarkup(page);
    expect(new Set(names)).toEqual(new Set(names.filter((name) => calm.names.includes(name))));
    expect(attributes.map(([name]) => name).filter((name) => name.startsWith("on") || name === "src")).toEqual([]);
    expect(page).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
    expect(page).toContain("\\u202e␛[31m");
    expect(page).not.toContain("\u202e");
    expect(page).not.toContain("\u001b");
  });

  test("keeps long outputs and diffs short, and says what it left out", async () => {
    const long = Array.from({ length: 50_000 }, (_, index) => `+line ${index}`).join("\n");
    const page = await render({ diff: `@@ -1 +1 @@\n${long}`, output: "x".repeat(5_000_000) });
    expect(page.length).toBeLessThan(1_000_000);
    expect(page).toContain("lines are left out here.");
    expect(page).toContain("+line 0\n");
    expect(page).toContain("+line 49999\n");
    expect(page).toContain("(5000000 characters)");
  });

  test("is made of a run that is still under way, of one that lost its contents, and of odd events", async () => {
    await withGoalRun(async ({ run, events, readers }) => {
      for (let end = 1; end < events.length; end += 5) {
        const page = await renderReport(
          { ...run, status: "running", verdict: "unverified" },
          events.slice(0, end),
          readers,
        );
        expect(checkMarkup(page).names).toContain("footer");
      }
      const gone = { blob: () => Promise.reject(new Error("gone")), artifact: () => Promise.reject(new Error("gone")) };
      expect(await renderReport(run, events, gone)).toContain("The diff is no longer in the ledger's store.");
      const odd = events.map((event) => ({ ...event, type: "moon.landed", data: { task: [], plan: null } }));
      expect(await renderReport(run, odd as unknown as RunEvent[], readers)).toContain("moon.landed");
      expect(await renderReport(run, [], readers)).toContain(run.id);
    });
  });

  test("takes secrets out of diffs, which the ledger keeps as they are", async () => {
    await withGoalRun(async ({ run, events, readers }) => {
      const redact = (text: string) => text.replaceAll("return", "[redacted]");
      const page = await renderReport(run, events, readers, { redact });
      expect(page).toContain("[redacted] a + b");
      expect(page).not.toContain("return a + b");
    });
  });

  test("draws a plan of a thousand tasks as squares, in a page of bounded size", async () => {
    const check = { type: "file_exists", path: "a" };
    const tasks = Array.from({ length: 1000 }, (_, index) => ({ id: `t${index}`, dependsOn: [], checks: [check] }));
    const page = await render({}, (events) =>
      events.map((event) =>
        event.type === "plan.accepted" ? { ...event, data: { plan: { goal: "x", tasks } } } : event,
      ),
    );
    expect(page.match(/class="square /g)).toHaveLength(1004);
    expect(page).toContain("504 more tasks are left out here.");
    expect(page.length).toBeLessThan(1_500_000);
  });
});

/** Every text of an event's data but those that say where it belongs. */
function replaceTexts(value: unknown, text: string, name = ""): unknown {
  if (typeof value === "string") {
    const keeps = [
      "key",
      "task",
      "id",
      "diff",
      "layer",
      "verification",
      "verdict",
      "type",
      "kind",
      "treeHash",
      "baseHash",
    ];
    return keeps.includes(name) ? value : text;
  }
  if (Array.isArray(value)) return name === "dependsOn" ? value : value.map((item) => replaceTexts(item, text, name));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replaceTexts(item, text, key)]));
}
