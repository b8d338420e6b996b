/**
 * What sends a request, inside the sandbox: nothing but Python's own library, and the network only as far as the proxy lets
 * it. The request comes on its input, so that no secret stands in a command line or an environment. The first line of its
 * output tells what came back, the rest is the body as it is.
 */
export const API_PROGRAM = `
import base64, http.client, json, sys, urllib.error, urllib.parse, urllib.request
asked = json.load(sys.stdin)
def place(url):
    parts = urllib.parse.urlsplit(url)
    return parts.scheme, parts.hostname, parts.port
class Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, request, file, code, message, headers, target):
        if place(target) != place(asked["url"]):
            return None
        return super().redirect_request(request, file, code, message, headers, target)
body = base64.b64decode(asked["body"]) if asked["body"] is not None else None
request = urllib.request.Request(asked["url"], data=body, method=asked["method"])
for name, value in asked["headers"]:
    request.add_header(name, value)
opener = urllib.request.build_opener(Stay)
def tell(answer):
    head = {"status": answer.status, "url": answer.geturl(), "headers": [[k.lower(), v] for k, v in answer.headers.items()]}
    sys.stdout.buffer.write(json.dumps(head).encode() + b"\\n")
    while True:
        piece = answer.read(65536)
        if not piece:
            break
        sys.stdout.buffer.write(piece)
        sys.stdout.buffer.flush()
    # Python says nothing of an answer that ends before its length.
    if getattr(answer, "length", None):
        raise http.client.HTTPException("the answer ended %d bytes early" % answer.length)
try:
    try:
        answer = opener.open(request, timeout=asked["timeout"])
    except urllib.error.HTTPError as error:
        answer = error
    tell(answer)
except (OSError, ValueError, http.client.HTTPException) as error:
    reason = getattr(error, "reason", None) or error
    sys.stderr.write(str(reason))
    sys.exit(3)
`;
