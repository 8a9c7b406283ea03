"""Memory forgets what has changed, is bounded, and keeps nothing that was read before a change."""

from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from players.sessions.cache import Memory
from players.sessions.identity import Identity, Profile

DIGESTS = [bytes([n]) * 32 for n in range(8)]


def identity(n: int) -> Identity:
    """Two sessions to a player."""
    return Identity(UUID(int=100 + n // 2), UUID(int=n), is_guest=True, is_staff=False)


def test_what_was_read_before_a_change_is_not_kept_after_it() -> None:
    memory = Memory()
    epoch = memory.epoch
    memory.forget(UUID(int=77))
    memory.keep_identity(epoch, DIGESTS[0], identity(0))
    memory.keep_profiles(epoch, [Profile(UUID(int=100), "Ann", is_guest=True)])
    assert len(memory) == 0


def test_a_changed_player_is_forgotten_with_all_his_sessions() -> None:
    memory = Memory()
    for n in range(4):
        memory.keep_identity(memory.epoch, DIGESTS[n], identity(n))
    memory.keep_profiles(memory.epoch, [Profile(UUID(int=100), "Ann", is_guest=True)])
    memory.forget(UUID(int=100))
    assert [memory.identity(digest) is None for digest in DIGESTS[:4]] == [True, True, False, False]
    assert memory.profiles([UUID(int=100)]) == {}


def test_profiles_are_bounded_and_the_longest_unused_goes_first() -> None:
    memory = Memory(size=2)
    ann, bob, cid = (Profile(UUID(int=n), "?", is_guest=True) for n in range(3))
    memory.keep_profiles(memory.epoch, [ann, bob])
    memory.profiles([ann.id])
    memory.keep_profiles(memory.epoch, [cid])
    assert memory.profiles([ann.id, bob.id, cid.id]) == {ann.id: ann, cid.id: cid}


@given(st.lists(st.tuples(st.sampled_from(["keep", "look", "session", "player", "all"]), st.integers(0, 7))))
def test_memory_is_bounded_and_its_index_never_outgrows_it(steps: list[tuple[str, int]]) -> None:
    memory, alive = Memory(size=3), set[int]()
    for step, n in steps:
        match step:
            case "keep":
                memory.keep_identity(memory.epoch, DIGESTS[n], identity(n))
                alive.add(n)
            case "look":
                assert memory.identity(DIGESTS[n]) in ({None, identity(n)} if n in alive else {None})
            case "session":
                memory.forget(UUID(int=n))
                alive.discard(n)
            case "player":
                memory.forget(UUID(int=100 + n // 2))
                alive -= {n // 2 * 2, n // 2 * 2 + 1}
            case _:
                memory.forget_all()
                alive.clear()
        kept = {digest for digests in memory._digests.values() for digest in digests}
        assert kept == set(memory._identities)
        assert len(kept) <= 3
