"""webmatrix in Flask."""

from flask import Flask, request

from evaluating import evaluate

application = Flask("webmatrix")


@application.post("/eval")  # type: ignore[untyped-decorator]
def answer() -> dict[str, int]:
    return {"result": evaluate(**request.get_json())}
