"""Nonces are drawn many at a time, and each is given out once."""

import os

from games.engine.nonces import DRAWN_AT_ONCE, nonce


def test_no_nonce_is_given_out_twice() -> None:
    drawn = [nonce() for _ in range(3 * DRAWN_AT_ONCE)]
    assert len({*drawn}) == len(drawn)
    assert {len(bytes.fromhex(each)) for each in drawn} == {16}


def test_a_forked_process_draws_nonces_of_its_own() -> None:
    nonce()  # some are drawn ahead
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(theirs, nonce().encode())
        os._exit(0)
    os.waitpid(child, 0)
    drawn_by_child = os.read(ours, 32).decode()
    os.close(ours)
    os.close(theirs)
    assert len(drawn_by_child) == 32
    assert drawn_by_child not in [nonce() for _ in range(2 * DRAWN_AT_ONCE)]
