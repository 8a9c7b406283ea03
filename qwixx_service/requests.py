"""The server's side of a request: uvicorn's own, made to say no to what is not HTTP as everything else says it."""

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from qwixx_service.doorstep import new_id
from qwixx_service.errors import problem
from qwixx_service.languages import preferred


class Requests(HttpToolsProtocol):
    """What cannot be read has no headers that could be asked for a language, and never comes to the doorstep."""

    def send_400_response(self, _msg: str) -> None:
        request_id = new_id()
        said = problem("malformed", language=preferred(""), request_id=request_id)
        headers = {**said.headers, "X-Request-ID": request_id, "Content-Length": str(len(said.body))}
        lines = [f"{name}: {value}\r\n" for name, value in {**headers, "Connection": "close"}.items()]
        self.transport.write(f"HTTP/1.1 400 Bad Request\r\n{''.join(lines)}\r\n".encode() + said.body)
        self.transport.close()
