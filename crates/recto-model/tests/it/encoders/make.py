"""Makes the two small networks of this folder. usage: make.py    (needs onnx)

text.onnx: a row of a table for each token. patches.onnx: the colour of each pixel of a picture of 2 x 2.
"""

from onnx import TensorProto, checker, helper, save


def write(name, nodes, input_, output, constants):
    graph = helper.make_graph(nodes, name, [input_], [output], constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    checker.check_model(model)
    save(model, f"{name}.onnx")


rows = [0, 0, 0, 9, 0, 0, 0, 0, 9, 0, 9, 0, 3, 4, 0, 0, 0, 5]
write(
    "text",
    [helper.make_node("Gather", ["table", "input_ids"], ["out"])],
    helper.make_tensor_value_info("input_ids", TensorProto.INT64, [1, "tokens"]),
    helper.make_tensor_value_info("out", TensorProto.FLOAT, [1, "tokens", 3]),
    [helper.make_tensor("table", TensorProto.FLOAT, [6, 3], rows)],
)
write(
    "patches",
    [
        helper.make_node("Reshape", ["pixel_values", "shape"], ["flat"]),
        helper.make_node("Transpose", ["flat"], ["out"], perm=[0, 2, 1]),
    ],
    helper.make_tensor_value_info("pixel_values", TensorProto.FLOAT, [1, 3, 2, 2]),
    helper.make_tensor_value_info("out", TensorProto.FLOAT, [1, 4, 3]),
    [helper.make_tensor("shape", TensorProto.INT64, [3], [1, 3, 4])],
)
