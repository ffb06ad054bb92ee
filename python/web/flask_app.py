"""webmatrix in Flask."""

from flask import Flask, request

from http_answers import evaluate

application = Flask("webmatrix")


@application.post("/eval")  # type: ignore[untyped-decorator]
def answer() -> dict[str, int]:
    return {"result": evaluate(**request.get_json())}
