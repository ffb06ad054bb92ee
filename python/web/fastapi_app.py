"""webmatrix in FastAPI: a handler on the event loop, and one that FastAPI runs in a thread of its pool."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from looping import loop_ready
from pydantic import BaseModel

from http_answers import evaluate


class Question(BaseModel):  # type: ignore[misc]
    """The body of a request."""

    values: list[int]
    rounds: int
    wait_us: int


@asynccontextmanager
async def lifespan(_application: FastAPI) -> AsyncIterator[None]:
    loop_ready()
    yield


on_loop = FastAPI(lifespan=lifespan)
in_thread = FastAPI(lifespan=lifespan)


@on_loop.post("/eval")  # type: ignore[untyped-decorator]
async def answer_on_loop(question: Question) -> dict[str, int]:
    return {"result": evaluate(question.values, question.rounds, question.wait_us)}


@in_thread.post("/eval")  # type: ignore[untyped-decorator]
def answer_in_thread(question: Question) -> dict[str, int]:
    return {"result": evaluate(question.values, question.rounds, question.wait_us)}
