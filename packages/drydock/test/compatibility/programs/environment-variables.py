import os

os.environ["ADDED"] = "1"
print(os.environ["ADDED"], os.getenv("MISSING"), os.environ["LANG"], os.path.expandvars("$ADDED"), os.popen("echo $ADDED").read())
os.environ["MISSING"]
