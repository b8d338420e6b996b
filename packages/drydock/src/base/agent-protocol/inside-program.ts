/**
 * What starts the agent, inside the sandbox: nothing but Python's own library. It answers the agent's requests for files and
 * terminals itself, so that they mean the layer and the sandbox. Everything else goes on as it is. It shares its user with the agent,
 * which can write in its place: what must not reach an editor is held back outside.
 */
const PROGRAM = String.raw`
import http.server, itertools, json, os, queue, signal, subprocess, sys, threading

OUTPUT_BYTES = 1 << 20
agent = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
to_agent, to_host = threading.Lock(), threading.Lock()
terminals = {}


class Refused(Exception):
    pass


def answer(id, result=None, error=None):
    message = {"jsonrpc": "2.0", "id": id}
    if error is None:
        message["result"] = result
    else:
        message["error"] = {"code": -32602, "message": error}
    with to_agent:
        try:
            agent.stdin.write(json.dumps(message).encode() + b"\n")
            agent.stdin.flush()
        except (OSError, ValueError):
            pass


def read_file(params):
    with open(params["path"], encoding="utf-8", newline="") as file:
        text = file.read()
    line, limit = params.get("line"), params.get("limit")
    if line is None and limit is None:
        return {"content": text}
    start = max((line or 1) - 1, 0)
    lines = text.splitlines(keepends=True)[start:]
    return {"content": "".join(lines if limit is None else lines[:limit])}


def write_file(params):
    os.makedirs(os.path.dirname(params["path"]) or ".", exist_ok=True)
    with open(params["path"], "w", encoding="utf-8", newline="") as file:
        file.write(params["content"])
    return {}


class Terminal:
    def __init__(self, params):
        variables = {each["name"]: each["value"] for each in params.get("env") or []}
        words = [params["command"], *(params.get("args") or [])]
        self.limit = params.get("outputByteLimit") or OUTPUT_BYTES
        self.output, self.truncated, self.lock = b"", False, threading.Lock()
        self.process = subprocess.Popen(
            words if params.get("args") else ["bash", "-c", params["command"]],
            cwd=params.get("cwd") or None,
            env={**os.environ, **variables},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        while chunk := os.read(self.process.stdout.fileno(), 65536):
            with self.lock:
                self.output += chunk
                if len(self.output) > self.limit:
                    self.output, self.truncated = self.output[-self.limit :], True

    def status(self):
        code = self.process.poll()
        if code is None:
            return None
        return {"exitCode": code if code >= 0 else None, "signal": signal.Signals(-code).name if code < 0 else None}

    def kill(self):
        if self.process.poll() is None:
            try:
                os.killpg(self.process.pid, signal.SIGKILL)
            except OSError:
                pass


def find(params):
    terminal = terminals.get(params["terminalId"])
    if terminal is None:
        raise Refused("There is no such terminal.")
    return terminal


def create_terminal(params):
    id = f"term_{len(terminals) + 1}"
    terminals[id] = Terminal(params)
    return {"terminalId": id}


def terminal_output(params):
    terminal = find(params)
    status = terminal.status()
    if status:
        terminal.reader.join(2)
    with terminal.lock:
        text = terminal.output.decode("utf-8", "replace")
    return {"output": text, "truncated": terminal.truncated, **({"exitStatus": status} if status else {})}


def wait_for_exit(params):
    terminal = find(params)
    terminal.process.wait()
    terminal.reader.join(2)
    return terminal.status()


def kill_terminal(params):
    find(params).kill()
    return {}


def release_terminal(params):
    find(params).kill()
    terminals[params["terminalId"]] = None
    return {}


SERVED = {
    "fs/read_text_file": read_file,
    "fs/write_text_file": write_file,
    "terminal/create": create_terminal,
    "terminal/output": terminal_output,
    "terminal/wait_for_exit": wait_for_exit,
    "terminal/kill": kill_terminal,
    "terminal/release": release_terminal,
}


def serve(message):
    try:
        answer(message["id"], SERVED[message["method"]](message.get("params") or {}))
    except Exception as error:
        answer(message["id"], error=f"{type(error).__name__}: {error}")


def carry():
    for line in sys.stdin.buffer:
        if take_answer(line):
            continue
        with to_agent:
            try:
                agent.stdin.write(line)
                agent.stdin.flush()
            except (OSError, ValueError):
                return
    with to_agent:
        agent.stdin.close()


# GATEWAY
threading.Thread(target=carry, daemon=True).start()
for line in agent.stdout:
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        message = None
    method = message.get("method") if isinstance(message, dict) else None
    if isinstance(method, str) and method in SERVED and "id" in message:
        threading.Thread(target=serve, args=(message,), daemon=True).start()
        continue
    with to_host:
        sys.stdout.buffer.write(line)
        sys.stdout.buffer.flush()
for terminal in terminals.values():
    if terminal:
        terminal.kill()
code = agent.wait()
sys.stdout.flush()
os._exit(code if code >= 0 else 128 - code)
`;

const NO_GATEWAY = String.raw`
def take_answer(line):
    return False
`;

/**
 * Requests to this port on the sandbox's own loopback go to the host as messages, and so need no network. The host passes them
 * on to its MCP gateway, which looks at their token.
 */
export const GATEWAY_PORT = 3129;

const GATEWAY = String.raw`
MAX_BODY_BYTES = 4 << 20
PASSED = ("authorization", "accept", "content-type", "mcp-session-id", "mcp-protocol-version")
numbers = itertools.count(1)
waiting = {}


def take_answer(line):
    if b'"_drydock-' not in line[:200]:
        return False
    message = json.loads(line)
    found = waiting.pop(message.get("id"), None)
    if found:
        found.put(message)
    return found is not None


class Gateway(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 600

    def do_POST(self):
        length = int(self.headers.get("content-length") or -1)
        if not 0 <= length <= MAX_BODY_BYTES:
            return self.reply(413, {}, "")
        body = self.rfile.read(length).decode("utf-8", "replace")
        id = f"_drydock-{next(numbers)}"
        waiting[id] = queue.Queue(1)
        headers = {name: self.headers[name] for name in PASSED if self.headers[name]}
        message = {"jsonrpc": "2.0", "id": id, "method": "_drydock/mcp", "params": {"headers": headers, "body": body}}
        answer = waiting[id]
        with to_host:
            sys.stdout.buffer.write(json.dumps(message).encode() + b"\n")
            sys.stdout.buffer.flush()
        result = answer.get().get("result") or {"status": 502, "headers": {}, "body": ""}
        self.reply(result["status"], result["headers"], result["body"])

    def do_GET(self):
        self.reply(405, {}, "")

    do_DELETE = do_GET

    def reply(self, status, headers, text):
        data = text.encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


gateway = http.server.ThreadingHTTPServer(("127.0.0.1", ${GATEWAY_PORT}), Gateway)
gateway.daemon_threads = True
threading.Thread(target=gateway.serve_forever, daemon=True).start()
`;

export const INSIDE_PROGRAM = PROGRAM.replace("# GATEWAY", () => NO_GATEWAY);
/** The same with the gateway. */
export const INSIDE_PROGRAM_WITH_GATEWAY = PROGRAM.replace("# GATEWAY", () => GATEWAY);
