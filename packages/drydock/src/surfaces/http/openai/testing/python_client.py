"""Speaks to the endpoint as OpenAI's Python client does: its headers, its bodies, its way of reading a stream.

It is given the address and the key, carries out one conversation after the other over a single connection, and prints
what it has read as JSON.
"""

import http.client
import json
import platform
import sys

HOST, PORT, KEY = sys.argv[1], int(sys.argv[2]), sys.argv[3]
CONNECTION = http.client.HTTPConnection(HOST, PORT, timeout=30)

WEATHER = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
CHAT_TOOLS = [
    {"type": "function", "function": {"name": "weather", "description": "The weather of a city", "parameters": WEATHER}}
]
RESPONSE_TOOLS = [{"type": "function", "name": "weather", "parameters": WEATHER, "strict": False}]


def headers(key=KEY, **more):
    return {
        "Accept-Encoding": "gzip, deflate",
        "Connection": "keep-alive",
        "Accept": "application/json",
        "Content-Type": "application/json",
        "User-Agent": "OpenAI/Python 2.8.0",
        "X-Stainless-Lang": "python",
        "X-Stainless-Package-Version": "2.8.0",
        "X-Stainless-OS": "Linux",
        "X-Stainless-Arch": "x64",
        "X-Stainless-Runtime": platform.python_implementation(),
        "X-Stainless-Runtime-Version": platform.python_version(),
        "Authorization": f"Bearer {key}",
        "X-Stainless-Async": "false",
        "x-stainless-retry-count": "0",
        "x-stainless-read-timeout": "600",
        **more,
    }


def ask(path, body, **more):
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
    CONNECTION.request("POST", f"/v1{path}", text, headers(**more))
    return CONNECTION.getresponse()


def whole(path, body, **more):
    response = ask(path, body, **more)
    return {"status": response.status, "type": response.headers["content-type"], "body": json.loads(response.read())}


def read_events(response):
    """Fields up to an empty line are one event; lines end in any of the three ways; a comment begins with a colon."""
    event, data = None, []
    for raw in response:
        line = raw.decode().rstrip("\r\n")
        if line == "":
            if data or event:
                yield event, "\n".join(data)
            event, data = None, []
            continue
        if line.startswith(":"):
            continue
        name, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if name == "event":
            event = value
        elif name == "data":
            data.append(value)


def stream(path, body, **more):
    """Up to `[DONE]`; an error in the stream is what the client raises."""
    response = ask(path, {**body, "stream": True}, **more)
    kind = response.headers["content-type"]
    if response.status != 200:
        return {"status": response.status, "type": kind, "body": json.loads(response.read())}
    chunks, is_done, error = [], False, None
    for event, data in read_events(response):
        if data.startswith("[DONE]"):
            is_done = True
            break
        value = json.loads(data)
        if isinstance(value, dict) and value.get("error"):
            error = value["error"]
            break
        if event is not None and event != value.get("type"):
            raise ValueError(f"event {event} holds {value.get('type')}")
        chunks.append(value)
    response.read()
    return {"status": 200, "type": kind, "chunks": chunks, "done": is_done, "error": error}


def user(text):
    return [{"role": "user", "content": text}]


def talk_with_tools():
    """The call that a model asks for in pieces is put together, carried out, and its result told."""
    options = {"include_usage": True}
    question = user("The weather in Rome?")
    asked = stream(
        "/chat/completions", {"messages": question, "model": "scripted", "tools": CHAT_TOOLS, "stream_options": options}
    )
    calls = {}
    for chunk in asked["chunks"]:
        for choice in chunk["choices"]:
            for piece in choice["delta"].get("tool_calls") or []:
                call = calls.setdefault(piece["index"], {"id": "", "name": "", "arguments": ""})
                call["id"] += piece.get("id") or ""
                call["name"] += piece["function"].get("name") or ""
                call["arguments"] += piece["function"].get("arguments") or ""
    call = calls[0]
    function = {"name": call["name"], "arguments": call["arguments"]}
    told = [
        *question,
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": call["id"], "type": "function", "function": function}],
        },
        {
            "role": "tool",
            "tool_call_id": call["id"],
            "content": f"It is 21 degrees in {json.loads(call['arguments'])['city']}.",
        },
    ]
    answered = stream("/chat/completions", {"messages": told, "model": "scripted", "tools": CHAT_TOOLS})
    return {"asked": asked, "call": call, "answered": answered}


def respond_with_tools():
    asked = stream("/responses", {"input": "weather in Rome", "model": "scripted", "tools": RESPONSE_TOOLS})
    call = asked["chunks"][-1]["response"]["output"][0]
    told = [
        {"role": "user", "content": [{"type": "input_text", "text": "weather in Rome"}]},
        call,
        {"type": "function_call_output", "call_id": call["call_id"], "output": "It is 21 degrees."},
    ]
    answered = whole("/responses", {"input": told, "model": "scripted", "tools": RESPONSE_TOOLS})
    return {"asked": asked, "answered": answered}


def list_models():
    CONNECTION.request("GET", "/v1/models", headers=headers())
    response = CONNECTION.getresponse()
    return {"status": response.status, "body": json.loads(response.read())}


HELPER = {"X-Stainless-Helper-Method": "chat.completions.stream"}
print(
    json.dumps(
        {
            "models": list_models(),
            "chat": whole("/chat/completions", {"messages": user("Hi … äöü 🛠"), "model": "scripted"}),
            "pieces": stream("/chat/completions", {"messages": user("Hi"), "model": "scripted"}, **HELPER),
            "tools": talk_with_tools(),
            "response": whole("/responses", {"input": "Hi", "model": "scripted", "instructions": "Be short."}),
            "events": stream("/responses", {"input": "Hi", "model": "scripted"}),
            "response_tools": respond_with_tools(),
            "stranger": whole("/chat/completions", {"messages": user("Hi"), "model": "scripted"}, key="wrong"),
            "unknown": whole("/chat/completions", {"messages": user("Hi"), "model": "gpt-9"}),
            "failed": stream("/chat/completions", {"messages": user("please fail"), "model": "scripted"}),
            "failed_events": stream("/responses", {"input": "please fail", "model": "scripted"}),
            "after": whole("/chat/completions", {"messages": user("Hi"), "model": "scripted"}),
        }
    )
)
