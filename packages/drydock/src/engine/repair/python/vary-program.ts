/** A Python program that makes more calls from known ones: each argument a little different, others as they are. */
export const VARY_PROGRAM = `
import ast, json, random, sys

request = json.loads(sys.stdin.buffer.read())
rng = random.Random(request["seed"])

def variants(value, depth=0):
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1, value - 1, 0, 1, -value, value * 2, value + 2, value + 10]
    if isinstance(value, float):
        return [value + 1, value - 0.5, 0.0, -value, value * 2]
    if isinstance(value, str):
        found = ["", value + value, value[::-1], value[1:], value[:-1], value + " ", value.upper(), " " + value]
        if len(value) > 1:
            at = rng.randrange(len(value))
            found += [value[:at] + value[at + 1:], value[:at] + value[at] + value[at:], value[-1] + value[1:-1] + value[0]]
        return found
    if isinstance(value, (list, tuple)):
        kind = type(value)
        found = [kind(), value[::-1], value[1:], value[:-1], value + value[:1], value + value]
        if value:
            found.append(value[:1])
            at = rng.randrange(len(value))
            found.append(value[:at] + value[at:at + 1] + value[at:])
            for at in rng.sample(range(len(value)), min(3, len(value))):
                for other in variants(value[at], depth + 1)[:4] if depth < 3 else []:
                    found.append(value[:at] + kind([other]) + value[at + 1:])
            try:
                found.append(kind(sorted(value)))
            except TypeError:
                pass
        return found
    if isinstance(value, dict):
        found = [{}]
        for key in list(value)[:3]:
            found.append({other: value[other] for other in value if other != key})
            for new in variants(value[key], depth + 1)[:3] if depth < 3 else []:
                found.append({**value, key: new})
        return found
    return []

answer, known = [], set()
def add(number, name, args):
    text = repr(args)
    if (number, name, text) not in known and len(text) < 400:
        known.add((number, name, text))
        answer.append([number, name, text])

calls = [(number, name, ast.literal_eval(text)) for number, name, text in request["calls"]]
for number, name, args in calls:
    add(number, name, args)
fresh = []
for number, name, args in calls:
    for at, value in enumerate(args):
        for other in variants(value):
            fresh.append((number, name, args[:at] + [other] + args[at + 1:]))
    if len(args) > 1:
        fresh.append((number, name, [rng.choice(variants(value) or [value]) for value in args]))
rng.shuffle(fresh)
for each in fresh:
    if len(answer) < 160:
        add(*each)
sys.stdout.write(json.dumps(answer))
`;
