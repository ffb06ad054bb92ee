"""webmatrix in Falcon."""

import falcon

from http_answers import evaluate


class Evaluation:
    """The resource /eval."""

    def on_post(self, request: falcon.Request, response: falcon.Response) -> None:
        response.media = {"result": evaluate(**request.get_media())}


application = falcon.App()
application.add_route("/eval", Evaluation())
