"""The directory's cache is bounded and never holds rows that have changed."""

from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from players.sessions.directory_cache import DirectoryCache
from players.sessions.identity import Identity, Profile

DIGESTS = [bytes([n]) * 32 for n in range(8)]


def identity(n: int) -> Identity:
    """Two sessions to a player."""
    return Identity(UUID(int=100 + n // 2), UUID(int=n), is_guest=True, is_staff=False)


def test_rows_read_before_a_change_are_not_cached_after_it() -> None:
    cache = DirectoryCache()
    epoch = cache.epoch
    cache.forget(UUID(int=77))
    cache.add_identity(epoch, DIGESTS[0], identity(0))
    cache.add_profiles(epoch, [Profile(UUID(int=100), "Ann", is_guest=True)])
    assert len(cache) == 0


def test_a_changed_player_is_forgotten_with_all_their_sessions() -> None:
    cache = DirectoryCache()
    for n in range(4):
        cache.add_identity(cache.epoch, DIGESTS[n], identity(n))
    cache.add_profiles(cache.epoch, [Profile(UUID(int=100), "Ann", is_guest=True)])
    cache.forget(UUID(int=100))
    assert [cache.identity(digest) is None for digest in DIGESTS[:4]] == [True, True, False, False]
    assert cache.profiles([UUID(int=100)]) == {}


def test_cached_profiles_are_bounded_and_the_least_recently_used_is_dropped() -> None:
    cache = DirectoryCache(size=2)
    ann, bob, cid = (Profile(UUID(int=n), "?", is_guest=True) for n in range(3))
    cache.add_profiles(cache.epoch, [ann, bob])
    cache.profiles([ann.id])
    cache.add_profiles(cache.epoch, [cid])
    assert cache.profiles([ann.id, bob.id, cid.id]) == {ann.id: ann, cid.id: cid}


@given(st.lists(st.tuples(st.sampled_from(["add", "read", "session", "player", "all"]), st.integers(0, 7))))
def test_the_cache_is_bounded_and_its_index_holds_only_cached_identities(steps: list[tuple[str, int]]) -> None:
    cache, alive = DirectoryCache(size=3), set[int]()
    for step, n in steps:
        match step:
            case "add":
                cache.add_identity(cache.epoch, DIGESTS[n], identity(n))
                alive.add(n)
            case "read":
                assert cache.identity(DIGESTS[n]) in ({None, identity(n)} if n in alive else {None})
            case "session":
                cache.forget(UUID(int=n))
                alive.discard(n)
            case "player":
                cache.forget(UUID(int=100 + n // 2))
                alive -= {n // 2 * 2, n // 2 * 2 + 1}
            case _:
                cache.forget_all()
                alive.clear()
        indexed = {digest for digests in cache.index.values() for digest in digests}
        assert len(indexed) == len(cache) <= 3
        assert all(cache.identity(digest) for digest in indexed)
