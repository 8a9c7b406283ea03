"""The exception by which players' use cases refuse a request; players may not import the games' own."""


class RequestRefused(Exception):
    """A request that breaks the rule named by `code`; nothing has changed."""

    def __init__(self, code: str, **data: object) -> None:
        super().__init__(code)
        self.code = code
        self.data = data
