"""Laws of pairing, over any queue: nobody twice, nobody with whom he must not meet, near ratings, and complete."""

from collections.abc import Iterable
from itertools import combinations, pairwise
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from games.matchmaking.pairing import LEVELS, MOST_LOOKS, Entry, Group, bot_level, groups, window

Pairs = frozenset[frozenset[str]]


@st.composite
def queues(draw: st.DrawFn) -> tuple[list[Entry], Pairs, int]:
    """A queue short enough that every group of it can be tried."""
    count = draw(st.integers(0, 9))
    entries = [
        Entry(
            ticket=f"t{n}",
            player=f"p{n}",
            rating=40.0 * draw(st.integers(15, 35)),
            waited_s=float(draw(st.sampled_from([0, 1, 5, 20, 45, 60, 90]))),
            bots_after_s=draw(st.sampled_from([None, 0.0, 10.0, 60.0])),
        )
        for n in range(count)
    ]
    pairs = [frozenset(pair) for pair in combinations([entry.player for entry in entries], 2)]
    apart = draw(st.frozensets(st.sampled_from(pairs), max_size=8)) if pairs else frozenset()
    return entries, apart, draw(st.integers(2, 5))


def paired(entries: Iterable[Entry], seats: int, apart: Pairs = frozenset()) -> list[Group]:
    return groups(list(entries), seats, lambda one, other: frozenset((one, other)) in apart)


def may_play(members: Iterable[Entry], apart: Pairs) -> bool:
    members = list(members)
    reach = window(max(member.waited_s for member in members))
    ratings = [member.rating for member in members]
    is_near = reach is None or max(ratings) - min(ratings) <= reach
    return is_near and not any(frozenset((a.player, b.player)) in apart for a, b in combinations(members, 2))


@given(queues())
def test_nobody_is_in_two_groups_and_every_group_fills_its_seats(queue: tuple[list[Entry], Pairs, int]) -> None:
    entries, apart, seats = queue
    found = paired(entries, seats, apart)
    tickets = [member.ticket for group in found for member in group.members]
    assert len(set(tickets)) == len(tickets)
    assert {len(group.members) + len(group.bots) for group in found} <= {seats}


@given(queues())
def test_no_group_is_wider_than_its_window_or_holds_two_who_must_not_meet(
    queue: tuple[list[Entry], Pairs, int],
) -> None:
    entries, apart, seats = queue
    assert all(may_play(group.members, apart) for group in paired(entries, seats, apart))


@given(queues())
def test_whatever_group_can_be_formed_is_formed(queue: tuple[list[Entry], Pairs, int]) -> None:
    entries, apart, seats = queue
    people_only = [group for group in paired(entries, seats, apart) if not group.bots]
    taken = {member.ticket for group in people_only for member in group.members}
    left = [entry for entry in entries if entry.ticket not in taken]
    assert not any(may_play(members, apart) for members in combinations(left, seats))


@given(queues())
def test_bots_come_to_those_whose_time_it_is_and_to_all_of_them(queue: tuple[list[Entry], Pairs, int]) -> None:
    entries, apart, seats = queue
    found = paired(entries, seats, apart)
    with_bots = {member for group in found if group.bots for member in group.members}
    with_people = {member for group in found if not group.bots for member in group.members}
    assert with_bots == {entry for entry in entries if entry.takes_bots} - with_people


@given(queues(), st.randoms(use_true_random=False))
def test_the_order_in_which_tickets_are_read_does_not_matter(
    queue: tuple[list[Entry], Pairs, int], luck: Random
) -> None:
    entries, apart, seats = queue
    shuffled = luck.sample(entries, len(entries))
    assert paired(entries, seats, apart) == paired(shuffled, seats, apart)


@given(queues())
def test_the_oldest_of_two_gets_the_nearest_whom_he_may_meet(queue: tuple[list[Entry], Pairs, int]) -> None:
    entries, apart, _ = queue
    found = [group for group in paired(entries, 2, apart) if not group.bots]
    if found:
        first, partner = found[0].members
        older = {entry.ticket for entry in entries if (-entry.waited_s, entry.ticket) < (-first.waited_s, first.ticket)}
        others = [e for e in entries if e.ticket not in older and e != first and may_play([first, e], apart)]
        assert abs(partner.rating - first.rating) == min(abs(other.rating - first.rating) for other in others)


def test_an_outlier_is_not_passed_by_for_ever() -> None:
    outlier = Entry("old", "zed", 1800.0, 60.0)
    newcomers = [Entry(f"n{n}", f"p{n}", 1000.0, 0.0) for n in range(4)]
    assert outlier in paired([outlier, *newcomers], 2)[0].members
    impatient = outlier._replace(waited_s=59.0)
    assert all(impatient not in group.members for group in paired([impatient, *newcomers], 2))


def test_near_ratings_are_preferred() -> None:
    ratings = {"a": 800.0, "b": 1000.0, "c": 820.0, "d": 1020.0}
    waiting = [Entry(name, name, rating, 40.0) for name, rating in ratings.items()]
    met = {frozenset(member.player for member in group.members) for group in paired(waiting, 2)}
    assert met == {frozenset("ac"), frozenset("bd")}


def test_people_who_take_bots_play_together_and_their_bots_are_about_as_strong() -> None:
    weak = [Entry(f"w{n}", f"w{n}", 720.0, 30.0, 20.0) for n in range(2)]
    strong = Entry("s", "s", 1600.0, 30.0, 20.0)
    found = paired([*weak, strong], 4)
    assert {(len(group.members), group.bots) for group in found} == {(2, ("easy", "easy")), (1, ("expert",) * 3)}


def test_bots_grow_stronger_with_ratings() -> None:
    assert [bot_level(below - 0.1) for below, _ in LEVELS] == [level for _, level in LEVELS]


def test_a_window_widens_until_anybody_will_do() -> None:
    widths = [window(second) for second in range(60)]
    assert all(later > earlier for earlier, later in pairwise(widths))  # type: ignore[operator]
    assert window(60) is None


def test_a_crowd_that_blocks_one_another_takes_no_more_time_than_anybody() -> None:
    """Of 120 no five fit together, though very many fours do: to try all of them would take minutes."""
    camps = {f"p{n}": n % 4 for n in range(120)}
    looks = 0

    def apart(one: str, other: str) -> bool:
        nonlocal looks
        looks += 1
        return camps[one] == camps[other]

    crowd = [Entry(f"t{n:03}", f"p{n}", 1000.0, 0.0) for n in range(120)]
    assert groups(crowd, 5, apart) == []
    assert looks < len(crowd) * 6 * MOST_LOOKS
    camps |= {f"p{n}": n for n in range(120, 125)}
    friends = [Entry(f"t{n:03}", f"p{n}", 1000.0, 0.0) for n in range(120, 125)]
    assert len(groups([*crowd, *friends], 5, apart)) > 0
