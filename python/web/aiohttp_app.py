"""Both workloads in aiohttp."""

from aiohttp import web

import http_answers
from http_answers import evaluate


async def say_blah(_request: web.Request) -> web.Response:
    return web.Response(body=http_answers.BODY, content_type="text/html")


async def answer(request: web.Request) -> web.Response:
    return web.json_response({"result": evaluate(**await request.json())})


application = web.Application()
application.add_routes([web.get("/", say_blah), web.post("/eval", answer)])
