"""spawn, switch and hand-off over asyncio, as somebody writes them who has no harness.

Run: python main.py spawn|switch|hand-off ROUNDS
"""

import asyncio
import sys


async def number(i: int) -> int:
    return i


async def spawn() -> None:
    tasks = [asyncio.create_task(number(i)) for i in range(1000)]
    assert sum([await task for task in tasks]) == 499_500


async def yields() -> None:
    for _ in range(200):
        await asyncio.sleep(0)


async def switch() -> None:
    for task in [asyncio.create_task(yields()) for _ in range(100)]:
        await task


async def play(inbox: asyncio.Queue[int], outbox: asyncio.Queue[int]) -> None:
    for _ in range(500):
        await outbox.put(await inbox.get() + 1)


async def hand_off() -> None:
    left: asyncio.Queue[int] = asyncio.Queue(1)
    right: asyncio.Queue[int] = asyncio.Queue(1)
    players = [asyncio.create_task(play(left, right)), asyncio.create_task(play(right, left))]
    await left.put(0)
    for player in players:
        await player
    assert left.get_nowait() == 1000


async def main() -> None:
    once = {"spawn": spawn, "switch": switch, "hand-off": hand_off}[sys.argv[1]]
    for _ in range(int(sys.argv[2])):
        await once()


asyncio.run(main())
