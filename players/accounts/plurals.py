"""Plural forms: which form of a word a language uses beside a number."""

SLAVIC = ("ru", "uk", "pl")
FORMS = ("one", "few", "many", "other")


def plural(language: str, number: int) -> str:
    """The form of a word beside a number.

    >>> [plural("ru", n) for n in (1, 2, 5, 11, 21, 22)]
    ['one', 'few', 'many', 'many', 'one', 'few']
    >>> [plural("pl", n) for n in (1, 2, 12, 21, 22)]
    ['one', 'few', 'many', 'many', 'few']
    >>> plural("de", 0), plural("uk", -1)
    ('other', 'one')
    """
    number = abs(number)
    if language not in SLAVIC:
        return "one" if number == 1 else "other"
    if number == 1 or (language != "pl" and number % 10 == 1 and number % 100 != 11):
        return "one"
    is_few = number % 10 in (2, 3, 4) and number % 100 not in (12, 13, 14)
    return "few" if is_few else "many"
