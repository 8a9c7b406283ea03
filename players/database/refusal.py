"""The exception by which players' use cases refuse a request; players may not import the games' own."""

Wrong = tuple[str, str]  # a code of errors, and what was expected


class RequestRefused(Exception):
    """A request that breaks the rule named by `code`; nothing has changed."""

    def __init__(self, code: str, **data: object) -> None:
        super().__init__(code)
        self.code = code
        self.data = data


def length_error(text: str, least: int, most: int, expected: str = "") -> Wrong | None:
    """
    >>> length_error("", 1, 24), length_error("Ann", 1, 24)
    (('too_short', '1 to 24 characters'), None)
    """
    if least <= len(text) <= most:
        return None
    return "too_short" if len(text) < least else "too_long", expected or f"{least} to {most} characters"
