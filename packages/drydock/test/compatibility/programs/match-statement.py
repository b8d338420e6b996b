def describe(value):
    match value:
        case {"kind": "point", "at": [x, y]}:
            return f"point {x},{y}"
        case [first, *rest] if rest:
            return f"{first} and {len(rest)} more"
        case str() | bytes():
            return "text"
        case _:
            return "other"


print(describe({"kind": "point", "at": [1, 2]}), describe([1, 2, 3]), describe("x"), describe(5))
