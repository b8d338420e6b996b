import re

pattern = re.compile(r"(?P<year>\d{4})-(?P<month>\d\d)", re.A)
print([m.groupdict() for m in pattern.finditer("2020-01 and 2021-12")], re.split(r"[,;]\s*", "a, b;c"))
print(re.sub(r"(\w+) (\w+)", lambda m: m[2] + m[1], "hello world"), re.fullmatch("ä+", "ää"))
re.compile("(")
