import glob
import os
import shutil
import stat
from pathlib import Path

Path("d/e").mkdir(parents=True)
Path("d/a.txt").write_text("één\n", encoding="utf-8")
os.symlink("a.txt", "d/link")
os.chmod("d/a.txt", 0o640)
os.rename("d/a.txt", "d/b.txt")
print(os.path.islink("d/link"), os.path.exists("d/link"), oct(stat.S_IMODE(os.stat("d/b.txt").st_mode)), sorted(glob.glob("d/*")))
shutil.copytree("d", "copy", symlinks=True)
print(sorted(p.as_posix() for p in Path("copy").rglob("*")), Path("d/b.txt").stat().st_size)
shutil.make_archive("packed", "zip", "d")
shutil.rmtree("d")
print(sorted(os.listdir(".")))
os.rmdir("copy")
