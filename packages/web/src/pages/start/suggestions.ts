import type { Key } from "../../words/words.ts";

interface Suggestion {
  title: Key;
  text: Key;
  /** What is sent to the server, and shown before that. */
  code: string;
}

/** What a newcomer can try at once: none of it needs a language model, and none of it touches a directory of the user. */
export const SUGGESTIONS: readonly Suggestion[] = [
  {
    title: "start.hello",
    text: "start.helloText",
    code: `import platform, sys
print("Hello from Python", sys.version.split()[0])
print("\\x1b[32mThis ran in a sandbox.\\x1b[0m")
result = sum(range(10))`,
  },
  {
    title: "start.chart",
    text: "start.chartText",
    code: `import matplotlib.pyplot as plt
days = ["Mon", "Tue", "Wed", "Thu", "Fri"]
ships = [3, 7, 4, 9, 6]
plt.bar(days, ships, color="#0b5c75")
plt.title("Ships in the harbour")
plt.show()`,
  },
  {
    title: "start.locked",
    text: "start.lockedText",
    code: `import os, socket
print("home:", os.listdir(os.path.expanduser("~")) if os.path.isdir(os.path.expanduser("~")) else "not visible")
try:
    socket.create_connection(("example.org", 443), timeout=2)
    print("network: open")
except OSError as error:
    print("network:", error)`,
  },
];
