/**
 * Starts services, then asks a URL, all in the sandbox of one check. What hides its memory and what starts services
 * come before it, as text. It runs as `python3 -I`, so that no file of the tree can stand in for a module; its request
 * comes by standard input. Its result is the last line of stderr, after a marker that its caller chose.
 */
export const DRIVER = String.raw`
import http.client, json, os, socket, ssl, sys, time
from urllib.parse import urlsplit

request = json.loads(sys.stdin.buffer.read())

def open_socket(host, port, seconds):
    name = host.strip("[]")
    places = [name] if name.startswith("127.") or ":" in name else ["127.0.0.1", "::1"]
    problem = None
    for place in places:
        try:
            return socket.create_connection((place, port), seconds)
        except OSError as error:
            # Of several addresses, the one that did answer in some way says more than one that nobody listens on.
            if problem is None or isinstance(problem, ConnectionRefusedError):
                problem = error
    raise problem

def connect(target, seconds):
    parts = urlsplit(target["url"])
    path = (parts.path or "/") + ("?" + parts.query if parts.query else "")
    secure = parts.scheme == "https"
    if target["kind"] == "inside":
        # The peer is a process of this very sandbox: a certificate would say nothing about it.
        context = ssl._create_unverified_context() if secure else None
        connection = http.client.HTTPConnection(target["host"], target["port"], timeout=seconds)
        connected = open_socket(target["host"], target["port"], seconds)
        connection.sock = context.wrap_socket(connected, server_hostname=target["host"]) if secure else connected
        return connection, path
    proxy = urlsplit(os.environ["http_proxy"])
    if not secure:
        return http.client.HTTPConnection(proxy.hostname, proxy.port, timeout=seconds), target["url"]
    connection = http.client.HTTPSConnection(proxy.hostname, proxy.port, timeout=seconds)
    connection.set_tunnel(target["host"].strip("[]"), target["port"])
    return connection, path

def ask_once(target, seconds):
    connection, path = connect(target, seconds)
    try:
        headers = {"Host": urlsplit(target["url"]).netloc, "User-Agent": "drydock-verify", "Accept": "*/*", "Connection": "close"}
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        body = answer.read(target["limit"])
        if target["kind"] == "proxy" and answer.getheader("X-Drydock-Refused"):
            return {"refused": body.decode("utf-8", "replace")}
        if target["kind"] == "proxy" and answer.status == 502 and body.startswith(b"Drydock could not reach"):
            raise ConnectionRefusedError(body.decode("utf-8", "replace").strip())
        return {"status": answer.status, "location": answer.getheader("Location"),
                "body": body.decode("utf-8", "replace"), "type": answer.getheader("Content-Type")}
    finally:
        connection.close()

def ask(target, services):
    end = time.monotonic() + target["seconds"]
    problem = "nothing answered"
    while True:
        left = end - time.monotonic()
        if left <= 0:
            return {"unreachable": problem}
        try:
            return ask_once(target, left)
        except (ConnectionRefusedError, ConnectionResetError, http.client.RemoteDisconnected) as error:
            problem = str(error) or type(error).__name__
            if services and all(service.process.poll() not in (None, 0) for service in services):
                return {"unreachable": problem}
        except TimeoutError:
            return {"unreachable": "no answer within the time"}
        except (OSError, http.client.HTTPException, ValueError) as error:
            if "Tunnel connection failed: 403" in str(error):
                return {"refused": str(error)}
            if "Tunnel connection failed: 502" not in str(error):
                return {"broken": "%s: %s" % (type(error).__name__, error)}
            problem = str(error)
        time.sleep(0.05)

def main():
    services = [Service(line) for line in request["services"]]
    found = {"answer": ask(request["target"], services)}
    found["services"] = [service.tell() for service in services]
    for service in services:
        service.stop()
    sys.stderr.write("\n" + request["marker"] + json.dumps(found) + "\n")
    sys.stderr.flush()

main()
`;
