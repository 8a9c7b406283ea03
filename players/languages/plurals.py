"""CLDR plural categories of the languages of the service."""

SLAVIC = ("ru", "uk", "pl")
CATEGORIES = ("one", "few", "many", "other")


def plural_category(language: str, number: int) -> str:
    """The plural category of a whole number.

    >>> [plural_category("ru", n) for n in (1, 2, 5, 11, 21, 22)]
    ['one', 'few', 'many', 'many', 'one', 'few']
    >>> [plural_category("pl", n) for n in (1, 2, 12, 21, 22)]
    ['one', 'few', 'many', 'many', 'few']
    >>> plural_category("de", 0), plural_category("uk", -1)
    ('other', 'one')
    """
    number = abs(number)
    if language not in SLAVIC:
        return "one" if number == 1 else "other"
    if number == 1 or (language != "pl" and number % 10 == 1 and number % 100 != 11):
        return "one"
    is_few = number % 10 in (2, 3, 4) and number % 100 not in (12, 13, 14)
    return "few" if is_few else "many"
