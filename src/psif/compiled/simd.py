"""Sums of rows that stay in vector registers, for kernels that would wait for memory otherwise.

A compiler keeps a sum in a register only where it can prove that no store touches it; through
arrays it cannot. :func:`add_rows` says so in LLVM's own language. The number of registers is a part
of the code, so it comes as the length of a tuple, which is a part of the type: numba compiles a
kernel once for each.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import config, types
from numba.extending import intrinsic

import psif.compiled.simd_plain as plain
from psif.compiled.registers import VECTOR_BYTES

_LONG, _INT, _BIT = ir.IntType(64), ir.IntType(32), ir.IntType(1)


def _add_rows(
    _: Any, rows: Any, at: Any, factors: Any, place: Any, chosen: Any, fresh: Any,
    sums: Any, target: Any, lanes: Any,
) -> Any:  # fmt: skip
    """Add to one panel of sums the same panel of some rows, each times its factor.

    For every bit t of ``chosen``, from the lowest::

        sums.flat[target : target + w] += factors.flat[place + t * n_factors]
                                          * rows.flat[at + t * pitch : at + t * pitch + w]

    Parameters
    ----------
    rows : float (at most 64, pitch), C order
    at : int
        Where the panel of row 0 begins.
    factors : float (as many, n_factors), C order
    place : int
        Where the factor of row 0 is.
    chosen : uint64
    fresh : bool
        Begin with zero instead of what ``sums`` holds.
    sums : float, C order
    target : int
    lanes : tuple
        See :func:`psif.compiled.registers.lanes_for`; w numbers fill so many vectors.
    """
    signature = types.void(rows, at, factors, place, chosen, fresh, sums, target, lanes)
    return signature, _emit_add_rows


def _emit_add_rows(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    kinds = signature.args
    rows, factors, sums = (_array(context, builder, kinds[i], args[i]) for i in (0, 2, 6))
    at, place, target = (
        context.cast(builder, args[i], kinds[i], types.intp) for i in (1, 3, 7)
    )  # fmt: skip
    chosen, fresh, n_vectors = args[4], args[5], len(kinds[8])
    width = VECTOR_BYTES * 8 // kinds[0].dtype.bitwidth
    vector = ir.VectorType(context.get_data_type(kinds[0].dtype), width)

    def panel(data: Any, start: Any) -> list[Any]:
        first = builder.gep(data, [start])
        steps = [builder.gep(first, [_LONG(k * width)]) for k in range(n_vectors)]
        return [builder.bitcast(step, vector.as_pointer()) for step in steps]

    def load(pointer: Any) -> Any:
        return builder.load(pointer, align=kinds[0].dtype.bitwidth // 8)

    targets = panel(sums.data, target)
    zero = ir.Constant(vector, None)
    begin = [builder.select(fresh, zero, load(pointer)) for pointer in targets]
    before, loop = builder.block, builder.append_basic_block("rows")
    done = builder.append_basic_block("stored")
    builder.cbranch(builder.icmp_unsigned("!=", chosen, _LONG(0)), loop, done)

    builder.position_at_end(loop)
    left, totals = builder.phi(_LONG), [builder.phi(vector) for _ in begin]
    row = builder.cttz(left, _BIT(1))
    n_factors, pitch = (builder.extract_value(table.shape, 1) for table in (factors, rows))
    step = builder.add(place, builder.mul(row, n_factors))
    factor = _splat(builder, load(builder.gep(factors.data, [step])), vector)
    numbers = [load(p) for p in panel(rows.data, builder.add(at, builder.mul(row, pitch)))]
    fused = ("contract",)  # one instruction where the processor has it
    added = [
        builder.fadd(total, builder.fmul(factor, number, flags=fused), flags=fused)
        for total, number in zip(totals, numbers, strict=True)
    ]
    after = builder.and_(left, builder.sub(left, _LONG(1)))
    for phi, old, new in zip([left, *totals], [chosen, *begin], [after, *added], strict=True):
        phi.add_incoming(old, before)
        phi.add_incoming(new, loop)
    builder.cbranch(builder.icmp_unsigned("!=", after, _LONG(0)), loop, done)

    builder.position_at_end(done)
    ends = [builder.phi(vector) for _ in begin]
    for end, old, new, pointer in zip(ends, begin, added, targets, strict=True):
        end.add_incoming(old, before)
        end.add_incoming(new, loop)
        builder.store(end, pointer, align=kinds[0].dtype.bitwidth // 8)
    return context.get_dummy_value()


def _prefetch(_: Any, table: Any, row: Any, column: Any) -> Any:
    """Ask for the cache line of ``table[row, column]``, in C order, before it is needed."""
    return types.void(table, row, column), _emit_prefetch


def _emit_prefetch(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    table = _array(context, builder, signature.args[0], args[0])
    row, column = (
        context.cast(builder, args[i], signature.args[i], types.intp) for i in (1, 2)
    )  # fmt: skip
    pitch = builder.extract_value(table.shape, 1)
    where = builder.gep(table.data, [builder.add(builder.mul(row, pitch), column)])
    byte = ir.IntType(8).as_pointer()
    kind = ir.FunctionType(ir.VoidType(), [byte, _INT, _INT, _INT])
    ask = builder.module.declare_intrinsic("llvm.prefetch", [byte], kind)
    # To be read, often, as data.
    builder.call(ask, [builder.bitcast(where, byte), _INT(0), _INT(3), _INT(1)])
    return context.get_dummy_value()


def _bits_of(_: Any, number: Any) -> Any:
    """Return the bits of a float64 as an int64; not negative, both come in the same order."""
    return types.int64(types.float64), _emit_bits_of


def _emit_bits_of(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    return builder.bitcast(args[0], _LONG)


# numba gives the first argument, the typing context, by itself.
add_rows: Any = plain.add_rows if config.DISABLE_JIT else intrinsic(_add_rows)
prefetch: Any = plain.prefetch if config.DISABLE_JIT else intrinsic(_prefetch)
bits_of: Any = plain.bits_of if config.DISABLE_JIT else intrinsic(_bits_of)


def _array(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    return context.make_array(kind)(context, builder, value)


def _splat(builder: Any, number: Any, vector: Any) -> Any:
    """Return a vector that has the number everywhere."""
    unset = ir.Constant(vector, ir.Undefined)
    one = builder.insert_element(unset, number, _INT(0))
    nowhere = ir.Constant(ir.VectorType(_INT, vector.count), [0] * vector.count)
    return builder.shuffle_vector(one, unset, nowhere)
