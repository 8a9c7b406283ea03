"""Laws of pairing over random queues: no player twice, no separated players together, near ratings, complete."""

from collections.abc import Iterable
from itertools import combinations, pairwise
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from games.matchmaking.pairing import LEVELS, MAX_CHECKS, Group, QueueEntry, bot_level, groups, window

Pairs = frozenset[frozenset[str]]


@st.composite
def queues(draw: st.DrawFn) -> tuple[list[QueueEntry], Pairs, int]:
    """A queue short enough that every group of it can be tried."""
    count = draw(st.integers(0, 9))
    entries = [
        QueueEntry(
            ticket=f"t{n}",
            player=f"p{n}",
            rating=40.0 * draw(st.integers(15, 35)),
            waited_s=float(draw(st.sampled_from([0, 1, 5, 20, 45, 60, 90]))),
            bots_after_s=draw(st.sampled_from([None, 0.0, 10.0, 60.0])),
        )
        for n in range(count)
    ]
    pairs = [frozenset(pair) for pair in combinations([entry.player for entry in entries], 2)]
    separated = draw(st.frozensets(st.sampled_from(pairs), max_size=8)) if pairs else frozenset()
    return entries, separated, draw(st.integers(2, 5))


def paired(entries: Iterable[QueueEntry], seats: int, separated: Pairs = frozenset()) -> list[Group]:
    return groups(list(entries), seats, lambda one, other: frozenset((one, other)) in separated)


def may_play(members: Iterable[QueueEntry], separated: Pairs) -> bool:
    members = list(members)
    largest = window(max(member.waited_s for member in members))
    ratings = [member.rating for member in members]
    is_near = largest is None or max(ratings) - min(ratings) <= largest
    return is_near and not any(frozenset((a.player, b.player)) in separated for a, b in combinations(members, 2))


@given(queues())
def test_no_player_is_in_two_groups_and_every_group_fills_its_seats(queue: tuple[list[QueueEntry], Pairs, int]) -> None:
    entries, separated, seats = queue
    found = paired(entries, seats, separated)
    tickets = [member.ticket for group in found for member in group.members]
    assert len(set(tickets)) == len(tickets)
    assert {len(group.members) + len(group.bots) for group in found} <= {seats}


@given(queues())
def test_no_group_is_wider_than_its_window_or_holds_separated_players(
    queue: tuple[list[QueueEntry], Pairs, int],
) -> None:
    entries, separated, seats = queue
    assert all(may_play(group.members, separated) for group in paired(entries, seats, separated))


@given(queues())
def test_every_group_that_can_be_formed_is_formed(queue: tuple[list[QueueEntry], Pairs, int]) -> None:
    entries, separated, seats = queue
    people_only = [group for group in paired(entries, seats, separated) if not group.bots]
    taken = {member.ticket for group in people_only for member in group.members}
    left = [entry for entry in entries if entry.ticket not in taken]
    assert not any(may_play(members, separated) for members in combinations(left, seats))


@given(queues())
def test_every_entry_that_takes_bots_and_found_no_people_gets_bots(queue: tuple[list[QueueEntry], Pairs, int]) -> None:
    entries, separated, seats = queue
    found = paired(entries, seats, separated)
    with_bots = {member for group in found if group.bots for member in group.members}
    with_people = {member for group in found if not group.bots for member in group.members}
    assert with_bots == {entry for entry in entries if entry.takes_bots} - with_people


@given(queues(), st.randoms(use_true_random=False))
def test_pairing_does_not_depend_on_the_order_of_entries(
    queue: tuple[list[QueueEntry], Pairs, int], luck: Random
) -> None:
    entries, separated, seats = queue
    shuffled = luck.sample(entries, len(entries))
    assert paired(entries, seats, separated) == paired(shuffled, seats, separated)


@given(queues())
def test_the_oldest_entry_gets_the_nearest_partner_within_its_window(
    queue: tuple[list[QueueEntry], Pairs, int],
) -> None:
    entries, separated, _ = queue
    found = [group for group in paired(entries, 2, separated) if not group.bots]
    if found:
        first, partner = found[0].members
        older = {entry.ticket for entry in entries if (-entry.waited_s, entry.ticket) < (-first.waited_s, first.ticket)}
        others = [e for e in entries if e.ticket not in older and e != first and may_play([first, e], separated)]
        assert abs(partner.rating - first.rating) == min(abs(other.rating - first.rating) for other in others)


def test_an_outlier_is_matched_with_any_rating_after_a_minute() -> None:
    outlier = QueueEntry("old", "zed", 1800.0, 60.0)
    newcomers = [QueueEntry(f"n{n}", f"p{n}", 1000.0, 0.0) for n in range(4)]
    assert outlier in paired([outlier, *newcomers], 2)[0].members
    younger = outlier._replace(waited_s=59.0)
    assert all(younger not in group.members for group in paired([younger, *newcomers], 2))


def test_players_with_near_ratings_are_paired_first() -> None:
    ratings = {"a": 800.0, "b": 1000.0, "c": 820.0, "d": 1020.0}
    waiting = [QueueEntry(name, name, rating, 40.0) for name, rating in ratings.items()]
    pairs = {frozenset(member.player for member in group.members) for group in paired(waiting, 2)}
    assert pairs == {frozenset("ac"), frozenset("bd")}


def test_entries_that_take_bots_share_a_game_with_bots_of_their_strength() -> None:
    weak = [QueueEntry(f"w{n}", f"w{n}", 720.0, 30.0, 20.0) for n in range(2)]
    strong = QueueEntry("s", "s", 1600.0, 30.0, 20.0)
    found = paired([*weak, strong], 4)
    assert {(len(group.members), group.bots) for group in found} == {(2, ("easy", "easy")), (1, ("expert",) * 3)}


def test_bot_levels_rise_with_ratings() -> None:
    assert [bot_level(below - 0.1) for below, _ in LEVELS] == [level for _, level in LEVELS]


def test_a_window_widens_until_it_takes_any_rating() -> None:
    widths = [window(second) for second in range(60)]
    assert all(later > earlier for earlier, later in pairwise(widths))  # type: ignore[operator]
    assert window(60) is None


def test_pairing_gives_up_after_a_limit_among_players_who_block_one_another() -> None:
    """Of 120 players no five fit together, though very many groups of four do: trying all would take minutes."""
    teams = {f"p{n}": n % 4 for n in range(120)}
    checks = 0

    def separated(one: str, other: str) -> bool:
        nonlocal checks
        checks += 1
        return teams[one] == teams[other]

    blocking = [QueueEntry(f"t{n:03}", f"p{n}", 1000.0, 0.0) for n in range(120)]
    assert groups(blocking, 5, separated) == []
    assert checks < len(blocking) * 6 * MAX_CHECKS
    teams |= {f"p{n}": n for n in range(120, 125)}
    friends = [QueueEntry(f"t{n:03}", f"p{n}", 1000.0, 0.0) for n in range(120, 125)]
    assert len(groups([*blocking, *friends], 5, separated)) > 0
