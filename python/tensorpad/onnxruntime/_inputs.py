"""Random inputs for a model: make_inputs.  SPDX-License-Identifier: MIT"""

import numpy

# The types of ONNX that NumPy has, as ONNX Runtime writes them.
DTYPES = {
    "float": "f4",
    "double": "f8",
    "float16": "f2",
    "bool": "?",
    "string": "O",
    "int8": "i1",
    "int16": "i2",
    "int32": "i4",
    "int64": "i8",
    "uint8": "u1",
    "uint16": "u2",
    "uint32": "u4",
    "uint64": "u8",
}


def _dtype(port):
    word = port.type.removeprefix("tensor(").removesuffix(")")
    if word not in DTYPES:
        raise ValueError(f"input '{port.name}' is {port.type}, for which NumPy has no type")
    return numpy.dtype(DTYPES[word])


def _check_shape(port, shape):
    """Whether the model takes that shape; it tells [] too where it says nothing."""
    fits = not port.shape or (
        len(shape) == len(port.shape)
        and all(
            extent == wanted or not isinstance(wanted, int)
            for extent, wanted in zip(shape, port.shape)
        )
    )
    if not fits:
        raise ValueError(
            f"input '{port.name}' has the shape {port.shape} in the model, and cannot "
            f"have {list(shape)}"
        )


def _random(generator, dtype, shape):
    if dtype.kind == "f":
        return generator.standard_normal(shape).astype(dtype)
    if dtype.kind == "O":
        return numpy.array(["", "pad", "tensor"], object)[generator.integers(0, 3, shape)]
    if dtype.itemsize == 1 and dtype.kind in "iu":
        limits = numpy.iinfo(dtype)
        return generator.integers(limits.min, limits.max + 1, shape).astype(dtype)
    return generator.integers(0, 2, shape).astype(dtype)


def make_inputs(ports, shapes, arrays, seed):
    """One array for each input, by name.

    ports: inputs of a session. shapes: {name: tuple} for inputs with free extents, which are 1
    otherwise; an extent that has a name is the same in all inputs. arrays: {name: array} of inputs
    that are not random. Integers of more than 8 bits are 0 or 1, because many are places or counts.
    Raises ValueError.
    """
    names = [port.name for port in ports]
    for name in [*shapes, *arrays]:
        if name not in names:
            raise ValueError(
                f"the model has no input '{name}'; it has {', '.join(names) or 'none'}"
            )
    extents = {}
    for port in ports:
        shape = arrays[port.name].shape if port.name in arrays else shapes.get(port.name)
        if shape is not None:
            _check_shape(port, shape)
            extents.update(
                (key, extent) for key, extent in zip(port.shape, shape) if isinstance(key, str)
            )
    generator = numpy.random.default_rng(seed)
    made = {}
    for port in ports:
        dtype = _dtype(port)
        if port.name in arrays:
            made[port.name] = arrays[port.name].astype(dtype)
            continue
        shape = shapes.get(port.name)
        if shape is None:
            shape = [
                extent if isinstance(extent, int) else extents.get(extent, 1)
                for extent in port.shape
            ]
        array = _random(generator, dtype, shape)
        made[port.name] = numpy.asarray(array, dtype)
    return made
