"""Noise like that of a shared box, for the simulations of the statistics: identical programs under
eight kinds of trouble.

An array of iterations has the shape (families, blocks, slots, iterations), slots in the order of
time. Wall time is hit by whatever stops a program; CPU time only by what slows it down while it
runs (caches, a busy sibling, clock speed), taken here as half of the log of a slowdown, a guess
that `--runs` replaces with measured A/A pairs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
WARM = 15
SIZE = 0.065 / np.sqrt(2)
LAYOUT = "layout"


class Figures(NamedTuple):
    """One value an invocation, shape (families, blocks, slots)."""

    median: Array
    minimum: Array
    cpu: Array


def simulate(kind: str, shape: tuple[int, int, int], rng: np.random.Generator) -> Figures:
    """Identical programs under one kind of noise; the true value is about 1."""
    return KINDS[kind](shape, rng)


def _figures(
    shape: tuple[int, int, int],
    rng: np.random.Generator,
    stopped: Array,
    slowed: Array,
    spread: Array | float = 0.01,
) -> Figures:
    """From logs an invocation: time that it was stopped (wall only) and slowed (wall and half of it
    in CPU time).

    A tenth of the iterations escape being stopped. `spread` is the scale of the skewed noise among
    iterations.
    """
    inner = rng.gamma(2, 1, (*shape, WARM)) * np.broadcast_to(spread, shape)[..., None]
    hit = rng.random((*shape, WARM)) > 0.1
    wall = np.exp(slowed[..., None] + stopped[..., None] * hit + inner)
    cpu = np.exp((slowed / 2)[..., None] + inner / 2)
    return Figures(np.median(wall, axis=-1), np.min(wall, axis=-1), np.median(cpu, axis=-1))


def _skewed(shape: tuple[int, int, int], rng: np.random.Generator) -> Figures:
    return _figures(shape, rng, _gamma(shape, rng, 0.7 * SIZE), _gamma(shape, rng, 0.7 * SIZE))


def _drifting(shape: tuple[int, int, int], rng: np.random.Generator) -> Figures:
    time = np.linspace(0, 1, shape[1] * shape[2]).reshape(1, shape[1], shape[2])
    return _figures(
        shape, rng, _gamma(shape, rng, 0.7 * SIZE), _gamma(shape, rng, 0.7 * SIZE) + 0.3 * time
    )


def _autocorrelated(shape: tuple[int, int, int], rng: np.random.Generator) -> Figures:
    box = _ar1(shape, rng, 0.95) * 0.1
    return _figures(shape, rng, np.abs(box), _gamma(shape, rng, 0.5 * SIZE))


def _busy_spells(shape: tuple[int, int, int], rng: np.random.Generator) -> Figures:
    busy = (_ar1(shape, rng, 0.98) > 0.8).astype(float)
    return _figures(
        shape,
        rng,
        busy * (0.4 + _gamma(shape, rng, 0.15)),
        _gamma(shape, rng, 0.5 * SIZE),
        0.01 + 0.05 * busy,
    )


def _bimodal(shape: tuple[int, int, int], rng: np.random.Generator) -> Figures:
    return _figures(
        shape,
        rng,
        _gamma(shape, rng, 0.3 * SIZE),
        0.15 * (rng.random(shape) < 0.4) + _gamma(shape, rng, 0.3 * SIZE),
    )


def _outliers(shape: tuple[int, int, int], rng: np.random.Generator) -> Figures:
    hit = (rng.random(shape) < 0.15) * rng.exponential(0.5, shape)
    return _figures(
        shape, rng, hit + _gamma(shape, rng, 0.5 * SIZE), _gamma(shape, rng, 0.5 * SIZE)
    )


def _layout(shape: tuple[int, int, int], rng: np.random.Generator) -> Figures:
    """Little noise; simulate_verdicts adds what the layout of each program does to it, the same in
    every block.
    """
    return _figures(shape, rng, _gamma(shape, rng, 0.002), _gamma(shape, rng, 0.005), 0.003)


def _normal(shape: tuple[int, int, int], rng: np.random.Generator) -> Figures:
    """Paired standard deviation 6.5 % in wall time: the case that the power figure is stated
    for.
    """
    return _figures(shape, rng, rng.normal(0, SIZE, shape), np.zeros(shape), 0.002)


def _gamma(shape: tuple[int, ...], rng: np.random.Generator, deviation: float) -> Array:
    """Right-skewed, never below 0, with this standard deviation."""
    return rng.gamma(1.5, deviation / np.sqrt(1.5), shape)


def _ar1(shape: tuple[int, int, int], rng: np.random.Generator, memory: float) -> Array:
    """A stationary process of the box over the slots of all blocks, standard deviation 1."""
    steps = rng.normal(0, np.sqrt(1 - memory**2), (shape[1] * shape[2], shape[0]))
    steps[0] /= np.sqrt(1 - memory**2)
    for now in range(1, len(steps)):
        steps[now] += memory * steps[now - 1]
    return steps.T.reshape(shape)


KINDS: dict[str, Callable[[tuple[int, int, int], np.random.Generator], Figures]] = {
    "normal": _normal,
    "skewed": _skewed,
    "drifting": _drifting,
    "autocorrelated": _autocorrelated,
    "busy spells": _busy_spells,
    "bimodal": _bimodal,
    "outliers": _outliers,
    LAYOUT: _layout,
}
