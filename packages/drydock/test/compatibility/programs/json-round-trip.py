import json

data = {"a": [1, 2.5, None, True], "ü": {"n": float("inf")}, 1: "key"}
print(json.dumps(data), json.dumps(data, ensure_ascii=False, indent=1, sort_keys=False))
assert json.loads('{"a": 1e3}') == {"a": 1000.0}
json.loads('{"a": }')
