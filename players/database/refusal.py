"""How players say no, in the shape of the games' own: players may not import games, and pure rules import nothing."""


class Refused(Exception):
    """A request that breaks the rule named by `code`; nothing has changed."""

    def __init__(self, code: str, **data: object) -> None:
        super().__init__(code)
        self.code = code
        self.data = data
