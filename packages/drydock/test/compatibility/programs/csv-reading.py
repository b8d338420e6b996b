# workspace
import csv

with open("table.csv", newline="") as file:
    rows = list(csv.DictReader(file))
print(rows, sum(int(row["age"]) for row in rows))
with open("out.csv", "w", newline="") as file:
    csv.writer(file, quoting=csv.QUOTE_NONNUMERIC).writerows([[1, "a,b"], ['q"', 2.5]])
print(open("out.csv").read())
