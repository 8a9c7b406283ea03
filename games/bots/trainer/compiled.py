"""Compiles functions with numba if it is installed; otherwise they run as plain Python, about fifty times slower."""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])

try:
    import numba
    import numpy as np
except ImportError:
    IS_COMPILED = False

    def compiled(function: Function) -> Function:
        return function

    def numbers(values: Iterable[int]) -> Any:
        return list(values)

    def fractions(values: Iterable[float]) -> Any:
        return list(values)

else:
    IS_COMPILED = True

    def compiled(function: Function) -> Function:
        return numba.njit(function)  # type: ignore[no-any-return]

    def numbers(values: Iterable[int]) -> Any:
        return np.array(list(values), dtype=np.int64)

    def fractions(values: Iterable[float]) -> Any:
        return np.array(list(values), dtype=np.float64)
