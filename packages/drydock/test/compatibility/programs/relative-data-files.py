# workspace
# file
import json
import os
from pathlib import Path

print(json.loads(Path("nested/config.json").read_text()), sorted(os.listdir(".")))
print((Path(__file__).resolve().parent / "nested" / "config.json").exists(), [p.as_posix() for p in sorted(Path(".").rglob("*.json"))])
