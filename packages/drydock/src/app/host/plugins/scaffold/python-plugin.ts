import { writeManifest } from "./write-manifest.ts";

export function writePythonPlugin({ author, name }: { author: string; name: string }): Record<string, string> {
  return {
    "plugin.yaml": writeManifest({ author, name, runtime: "python", command: "[python3, main.py]" }),
    "runner.py": RUNNER,
    "main.py": writeMain(author, name),
    "test_runner.py": TEST,
    ".gitignore": "drydock_runner/\n__pycache__/\n*.tgz\n",
  };
}

const RUNNER = `import re

from drydock_runner import delta, message, runner, set_state


@runner(
    {
        "name": "default",
        "label": "My runner",
        "description": "Greets, and repeats what it was told.",
        "capabilities": {"streaming": True, "interrupt": True},
        # What it may ask the host for, such as {"models": ["stream"], "history": ["page"]}.
        "permissions": {},
    }
)
def my_runner(ctx, api):
    """Greets, counts the visits of each person, and repeats what it was told. Replace this with what yours does."""
    visits = ctx.state["actor"].get("visits", 0) + 1
    yield set_state("actor", "visits", visits)
    text = f"{'Hello again' if visits > 1 else 'Hello'}. You said: {ctx.input.get('text') or ''}"
    yield from map(delta, re.findall(r"\\S+ ?", text))
    yield message(text)
`;

const writeMain = (author: string, name: string) => `from drydock_runner import serve_plugin
from runner import my_runner

serve_plugin(${JSON.stringify(author)}, ${JSON.stringify(name)}, [my_runner])
`;

const TEST = `import unittest

from drydock_runner.testing import test_runner as try_runner
from runner import my_runner


class Runner(unittest.TestCase):
    def test_greets_and_repeats_what_it_was_told(self):
        run = try_runner(my_runner, input="good morning")
        self.assertEqual(run.text, "Hello. You said: good morning")
        self.assertEqual(run.state["actor"], {"visits": 1})
        self.assertEqual(run.warnings, [])

    def test_knows_who_was_here_before(self):
        run = try_runner(my_runner, input="hi", state={"actor": {"visits": 1}})
        self.assertEqual(run.text, "Hello again. You said: hi")


if __name__ == "__main__":
    unittest.main()
`;
