"""Revenue by region, from sales.csv. The picture is a file of the run, and comes back as an artifact."""
import matplotlib.pyplot as plt
import pandas as pd

sales = pd.read_csv("sales.csv", parse_dates=["date"])
sales["revenue"] = sales.units * sales.price
table = sales.groupby(["region", "product"]).revenue.sum().unstack().sort_index()
order = table.sum(axis=1).sort_values(ascending=False).index
table = table.loc[order] / 1000

figure, axes = plt.subplots(figsize=(8, 4.5), layout="constrained")
table.plot.bar(stacked=True, ax=axes, color=["#1f4e79", "#e08e45", "#7fb7be"], width=0.65, rot=0)
for position, total in enumerate(table.sum(axis=1)):
    axes.text(position, total, f"{total:.1f}", ha="center", va="bottom", fontweight="bold")
axes.set_title("Revenue by region, first half of 2025", loc="left", fontweight="bold")
axes.set_xlabel("")
axes.set_ylabel("thousand euros")
axes.legend(title=None, frameon=False, loc="upper right")
axes.spines[["top", "right"]].set_visible(False)
axes.margins(y=0.12)
figure.savefig("revenue-by-region.png", dpi=130)

result = {region: round(float(total) * 1000) for region, total in table.sum(axis=1).items()}
