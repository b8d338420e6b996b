"""Looks into a table: a file, else what comes in on standard input. What it prints is the response."""

import argparse
import io
import json
import re
import sys

import pandas as pd

OPERATORS = re.compile(r"^\s*(?P<column>.+?)\s*(?P<operator>!=|>=|<=|=|>|<|!~|~)\s*(?P<value>.*?)\s*$", re.DOTALL)


def fail(message):
    print(message, file=sys.stderr)
    sys.exit(1)


def read_table(options):
    source = options.file or io.StringIO(sys.stdin.read())
    if not options.file and not source.getvalue().strip():
        fail("There is no table: name a file of the workspace, or pipe in a response.")
    separator = options.delimiter or None
    try:
        table = pd.read_csv(source, sep=separator, engine="c" if separator else "python", skipinitialspace=True)
    except FileNotFoundError:
        fail(f"There is no file {options.file} in the workspace. Give the workspace with --workspace DIR.")
    except (ValueError, pd.errors.ParserError, UnicodeDecodeError) as error:
        fail(f"This is not a table: {error}")
    table.columns = [str(name).strip() for name in table.columns]
    for condition in options.where or []:
        table = table[fits(table, condition)]
    return table


def column_of(table, name):
    if name in table.columns:
        return name
    found = [column for column in table.columns if column.lower() == name.lower()]
    if len(found) == 1:
        return found[0]
    fail(f"There is no column {name}. There are: {', '.join(table.columns)}")


def columns_of(table, text):
    return [column_of(table, name.strip()) for name in text.split(",") if name.strip()]


def fits(table, condition):
    match = OPERATORS.match(condition)
    if not match:
        fail(f"{condition} is not a condition; write it like 'age > 30', 'city = Paris' or 'name ~ ann'.")
    column = table[column_of(table, match["column"])]
    operator, value = match["operator"], match["value"].strip("'\"")
    if operator in ("~", "!~"):
        holds = column.astype(str).str.contains(value, case=False, regex=False)
        return holds if operator == "~" else ~holds
    if pd.api.types.is_numeric_dtype(column):
        try:
            wanted = float(value)
        except ValueError:
            fail(f"{match['column']} holds numbers, and {value!r} is none.")
    else:
        column, wanted = column.astype(str), value
    compare = {"=": column.eq, "!=": column.ne, ">": column.gt, "<": column.lt, ">=": column.ge, "<=": column.le}
    return compare[operator](wanted)


def numbers_of(table):
    numbers = table.select_dtypes("number")
    if numbers.columns.empty:
        fail(f"No column holds numbers. The columns are: {', '.join(table.columns)}")
    return numbers


def plain(value):
    if pd.isna(value):
        return None
    if isinstance(value, (bool, str)):
        return value
    number = float(value)
    return int(number) if number.is_integer() and abs(number) < 2**53 else round(number, 6)


def write(value):
    print(json.dumps(value, indent=2, ensure_ascii=False))


def summary(table, _options):
    columns = []
    for name in table.columns:
        column = table[name]
        entry = {"name": name, "missing": int(column.isna().sum()), "distinct": int(column.nunique())}
        if pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column):
            entry |= {"type": "number", "least": plain(column.min()), "greatest": plain(column.max())}
            entry |= {"average": plain(column.mean()), "median": plain(column.median())}
        else:
            common = column.astype(str).where(column.notna()).value_counts().head(3)
            entry |= {"type": "text", "common": [{"value": value[:80], "count": int(n)} for value, n in common.items()]}
        columns.append(entry)
    write({"rows": len(table), "duplicates": int(table.duplicated().sum()), "columns": columns})


def head(table, options):
    print(table.head(options.rows).to_csv(index=False), end="")


def filter_rows(table, options):
    if options.sort:
        table = table.sort_values(column_of(table, options.sort), ascending=not options.descending, kind="stable")
    if options.columns:
        table = table[columns_of(table, options.columns)]
    print(table.head(options.rows).to_csv(index=False), end="")


def average(table, options):
    if not options.by:
        write({name: plain(value) for name, value in numbers_of(table).mean().items()})
        return
    by = column_of(table, options.by)
    names = [name for name in numbers_of(table).columns if name != by]
    groups = table.groupby(by)[names].mean()
    write({str(group): {name: plain(row[name]) for name in names} for group, row in groups.iterrows()})


def chart(table, options):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    x = column_of(table, options.x) if options.x else None
    if x is None and not options.average:
        x = next((name for name in table.columns if not pd.api.types.is_numeric_dtype(table[name])), None)
    drawn = columns_of(table, options.y) if options.y else [name for name in numbers_of(table).columns if name != x]
    for name in drawn:
        if not pd.api.types.is_numeric_dtype(table[name]):
            fail(f"{name} holds no numbers, and can't be drawn.")
    if not drawn:
        fail("There is no column of numbers to draw.")
    shown, data = "each", (table.set_index(x) if x else table)[drawn]
    if options.average:
        shown, data = "average", table.groupby(x)[drawn].mean() if x else table[drawn].mean()
    elif x and options.kind in ("bar", "pie") and table[x].duplicated().any():
        # Hundreds of bars with the same few names say nothing.
        shown, data = "sum", table.groupby(x)[drawn].sum()
    figure, axes = plt.subplots(figsize=(8, 5), layout="constrained")
    draw(data, table, x, drawn, options.kind, axes)
    what = ", ".join(drawn) + (f" by {x}" if x else "")
    axes.set_title(options.title or (what if shown == "each" else f"{shown} of {what}"))
    # The figure is left open: Drydock keeps it as a picture.
    points = len(data) if options.kind != "histogram" else len(table)
    write({"kind": options.kind, "x": x, "y": drawn, "shown": shown, "points": points})


def draw(data, table, x, drawn, kind, axes):
    if kind == "pie":
        parts = data.iloc[:, 0] if isinstance(data, pd.DataFrame) else data
        parts.plot.pie(ax=axes, autopct="%1.1f%%", ylabel="")
    elif kind == "histogram":
        table[drawn].plot.hist(ax=axes, alpha=0.7, bins=20)
    elif kind == "scatter":
        places = table[x] if x else range(len(table))
        for name in drawn:
            axes.scatter(places, table[name], label=name)
        axes.legend()
        axes.set_xlabel(x or "row")
    else:
        data.plot(kind=kind, ax=axes)


def read_options():
    parser = argparse.ArgumentParser(prog="/csv", allow_abbrev=False)
    parser.add_argument("action", choices=ACTIONS)
    for name in ("file", "delimiter", "columns", "sort", "by", "x", "y", "title"):
        parser.add_argument(f"--{name}")
    parser.add_argument("--where", action="append")
    parser.add_argument("--rows", type=int, default=10)
    parser.add_argument("--kind", default="bar")
    parser.add_argument("--descending", action="store_true")
    parser.add_argument("--average", action="store_true")
    return parser.parse_args()


ACTIONS = {"summary": summary, "head": head, "filter": filter_rows, "average": average, "chart": chart}

chosen = read_options()
ACTIONS[chosen.action](read_table(chosen), chosen)
