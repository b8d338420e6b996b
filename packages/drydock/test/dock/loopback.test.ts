import { describe, expect, test } from "vitest";
import { openTestDock } from "../testing/test-dock.ts";

const it = openTestDock({
  policy: "version: 1\nnetwork: { allow: { default: [], max: ['example.org:443'] } }\n",
});

/** A service in a process of its own, and its clients beside it. */
const CODE = `
import subprocess, sys, time, urllib.request
service = subprocess.Popen([sys.executable, "-m", "http.server", "8123", "--bind", "127.0.0.1"],
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
open("page.txt", "w").write("from inside")
def ask(host):
    for _ in range(100):
        try:
            return urllib.request.urlopen("http://%s:8123/page.txt" % host, timeout=5).read().decode()
        except urllib.error.HTTPError as error:
            return str(error)
        except OSError as error:
            last = str(error)
            time.sleep(0.05)
    return last
`;

describe("a service on the run's own loopback", () => {
  test("is reached by other processes of the run", async () => {
    const ran = await it.python(`${CODE}\nresult = [ask("127.0.0.1"), ask("localhost")]\nservice.kill()`);
    expect(ran.error).toBeNull();
    expect(ran.result).toEqual(["from inside", "from inside"]);
  });

  test("is reached directly when a list of hosts is in force, by Python and Node", async () => {
    const code = `${CODE}
result = [ask("127.0.0.1"), ask("localhost")]
js = "fetch('http://127.0.0.1:8123/page.txt').then(r => r.text()).then(t => process.stdout.write(t))"
result.append(subprocess.run(["node", "-e", js], capture_output=True, text=True).stdout)
service.kill()`;
    const ran = await it.python(code, { policy: { network: { allow: ["example.org:443"] } } });
    expect(ran.error).toBeNull();
    expect(ran.result).toEqual(["from inside", "from inside", "from inside"]);
  });
});
