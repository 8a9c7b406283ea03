"""The exception by which rules refuse an action: a stable code and plain data, without words."""


class Refused(Exception):
    """An action or command breaks the rule named by `code`; nothing has changed."""

    def __init__(self, code: str, **data: object) -> None:
        super().__init__(code)
        self.code = code
        self.data = data
