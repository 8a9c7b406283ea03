"""The one way in which rules say no: a stable code and plain data; what it means in words is known elsewhere."""


class Refused(Exception):
    """An action or command that breaks the rule named by `code`; nothing has changed."""

    def __init__(self, code: str, **data: object) -> None:
        super().__init__(code)
        self.code = code
        self.data = data
