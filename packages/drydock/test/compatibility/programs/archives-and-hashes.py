import base64
import gzip
import hashlib
import io
import tarfile
import zipfile
import zlib

data = b"abc" * 1000
print(hashlib.sha256(data).hexdigest(), hashlib.md5(b"").hexdigest(), zlib.crc32(data), base64.b64encode(b"\xff\xfe").decode())
print(len(gzip.decompress(gzip.compress(data))))
buffer = io.BytesIO()
with zipfile.ZipFile(buffer, "w") as archive:
    archive.writestr("a/b.txt", data)
print(zipfile.ZipFile(buffer).namelist(), tarfile.is_tarfile(io.BytesIO(b"x")))
