export const start = {
  "start.title": "What the agents do, and what was proved",
  "start.text":
    "Everything runs in a sandbox and is on record. Nothing reaches a directory before its checks have passed.",
  "start.try": "Try it: no language model needed",
  "start.run": "Run it",
  "start.hello": "Run a little Python",
  "start.helloText": "Output, colours and the result, as the sandbox reports them.",
  "start.chart": "Draw a chart",
  "start.chartText": "A picture that the code shows is a file of the run, and is shown here.",
  "start.locked": "See what code can’t reach",
  "start.lockedText": "No files of yours and no network, unless the policy allows them.",
  "start.running": "under way",
  "start.passed": "proved by checks",
  "start.unproven": "unproven",
  "start.failed": "failed",
  "start.latest": "Latest runs",
  "start.all": "All runs",
};
