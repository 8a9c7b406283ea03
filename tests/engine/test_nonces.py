"""Nonces are drawn ahead, and never given out twice."""

import os

from games.log.nonces import AT_ONCE, nonce


def test_no_nonce_comes_twice() -> None:
    drawn = [nonce() for _ in range(3 * AT_ONCE)]
    assert len({*drawn}) == len(drawn)
    assert {len(bytes.fromhex(each)) for each in drawn} == {16}


def test_a_forked_process_has_luck_of_its_own() -> None:
    nonce()  # some are drawn ahead
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(theirs, nonce().encode())
        os._exit(0)
    os.waitpid(child, 0)
    said = os.read(ours, 32).decode()
    os.close(ours)
    os.close(theirs)
    assert len(said) == 32
    assert said not in [nonce() for _ in range(2 * AT_ONCE)]
