"""Makes models/text/potion-base-8M-int8.safetensors of the original's model.safetensors: each row in whole numbers
from -127 to 127 and one number that they are multiplied with. A quarter of the size.
usage: make-potion.py model.safetensors OUT    (needs numpy)
"""

import json
import struct
import sys

import numpy

source, out = sys.argv[1:]
data = open(source, "rb").read()
length = struct.unpack("<Q", data[:8])[0]
entry = json.loads(data[8 : 8 + length])["embeddings"]
start, end = (8 + length + offset for offset in entry["data_offsets"])
rows = numpy.frombuffer(data[start:end], "<f4").reshape(entry["shape"])
scales = (numpy.abs(rows).max(axis=1) / 127).astype("<f4")
whole = numpy.rint(rows / numpy.maximum(scales, 1e-30)[:, None]).astype("i1")
header = {
    "embeddings": {"dtype": "I8", "shape": list(whole.shape), "data_offsets": [0, whole.size]},
    "scales": {"dtype": "F32", "shape": list(scales.shape), "data_offsets": [whole.size, whole.size + 4 * scales.size]},
}
text = json.dumps(header).encode()
text += b" " * (-len(text) % 8)
with open(out, "wb") as file:
    file.write(struct.pack("<Q", len(text)) + text + whole.tobytes() + scales.tobytes())
