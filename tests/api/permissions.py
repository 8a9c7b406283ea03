"""The table of permissions: one row per operation and stream, one column per role; read by `test_permissions`.

Callers come in the order of the columns, each to the same game, and later callers find what earlier ones have changed:
the staff member takes the last of six seats. The spectator has the game's stream open where permitted.
"""

ROLES = ("anonymous", "revoked", "deleted", "guest", "other", "spectator", "staff", "seated", "creator")

# A game is open with four of six seats free, playing, private (and playing), hidden (private and open, and `other` is
# invited to it) or over. Where it says queue or webhook there is no game, but the creator is in the queue or has one.
# Numbers are statuses; of streams, `ok` is a hello frame and a number the close code.
TABLE = """
operation            game     anonymous revoked deleted guest other spectator staff seated creator
acceptInvitation     hidden         401     401     401   404   200       404   404    404     404
playAction           playing        401     401     401   403   403       403   403    200     200
playAction           private        401     401     401   404   404       404   404    200     200
previewAction        playing        401     401     401   403   403       403   403    409     409
previewAction        private        401     401     401   404   404       404   404    409     409
requestConfirmation  -              401     401     401   403   202       403   202    202     202
createStreamTicket   -              401     401     401   201   201       201   201    201     201
changeMe             -              401     401     401   200   200       200   200    200     200
changePassword       -              401     401     401   403   204       403   204    204     204
confirmAddress       -              410     410     410   410   410       410   410    410     410
createGame           -              401     401     401   201   201       201   201    201     201
createGuest          -              201     201     201   201   201       201   201    201     201
declineInvitation    hidden         401     401     401   404   200       404   404    404     404
changeWebhook        webhook        401     401     401   404   404       404   404    404     200
createWebhook        -              401     401     401   403   201       403   201    201     201
createBot            -              401     401     401   403   201       403   201    201     201
deleteBot            -              401     401     401   404   404       404   404    404     404
createAccessToken    -              401     401     401   403   201       403   201    201     201
deleteMe             -              401     401     401   204   204       204   204    204     204
deleteWebhook        webhook        401     401     401   404   404       404   404    404     204
enterQueue           -              401     401     401   202   202       202   202    202     202
exportGame           over           401     401     401   200   200       200   200    200     200
exportGame           private        401     401     401   404   404       404   404    200     200
exportMe             -              401     401     401   200   200       200   200    200     200
requestPasswordReset -              202     202     202   202   202       202   202    202     202
freeSeat             open           401     401     401   403   403       403   403    403     200
freeSeat             hidden         401     401     401   404   404       404   404    403     200
invitePlayer         hidden         401     401     401   404   404       404   404    201     201
joinGame             open           401     401     401   200   200       200   200    409     409
joinGame             hidden         401     401     401   404   404       404   404    409     409
joinGameByCode       hidden         401     401     401   200   200       200   200    409     409
giveSeed             open           401     401     401   403   403       403   403    200     200
giveSeed             private        401     401     401   404   404       404   404    409     409
leaveGame            open           401     401     401   403   403       403   403    200     200
leaveGame            private        401     401     401   404   404       404   404    200     409
leaveQueue           queue          401     401     401   404   404       404   404    404     200
unblockPlayer        -              401     401     401   204   204       204   204    204     204
unmutePlayer         -              401     401     401   204   204       204   204    204     204
listBots             -              401     401     401   200   200       200   200    200     200
listAccessTokens     -              401     401     401   200   200       200   200    200     200
listBlocks           -              401     401     401   200   200       200   200    200     200
listEvents           playing        401     401     401   200   200       200   200    200     200
listEvents           private        401     401     401   404   404       404   404    200     200
listGames            -              401     401     401   200   200       200   200    200     200
listPlayerGames      -              401     401     401   200   200       200   200    200     200
listInvitations      -              401     401     401   200   200       200   200    200     200
listMutes            -              401     401     401   200   200       200   200    200     200
listPhrases          -              401     401     401   200   200       200   200    200     200
listRatingChanges    -              401     401     401   200   200       200   200    200     200
listRulesets         -              200     200     200   200   200       200   200    200     200
listSessions         -              401     401     401   200   200       200   200    200     200
listWebhookDeliveries webhook       401     401     401   404   404       404   404    404     200
listWebhooks         -              401     401     401   200   200       200   200    200     200
readProof            over           401     401     401   200   200       200   200    200     200
readProof            playing        401     401     401   409   409       409   409    409     409
readProof            private        401     401     401   404   404       404   404    409     409
readShareLink        over           401     401     401   403   403       403   403    200     200
readShareLink        private        401     401     401   404   404       404   404    409     409
blockPlayer          -              401     401     401   204   204       204   204    204     403
mutePlayer           -              401     401     401   204   204       204   204    204     403
readGame             playing        401     401     401   200   200       200   200    200     200
readGame             private        401     401     401   404   404       404   404    200     200
readHome             -              401     401     401   200   200       200   200    200     200
readLeaderboard      -              401     401     401   200   200       200   200    200     200
readMe               -              401     401     401   200   200       200   200    200     200
readPlayer           -              401     401     401   200   200       200   200    200     200
readStats            -              401     401     401   200   200       200   200    200     200
readQueueTicket      queue          401     401     401   404   404       404   404    404     200
readIndex            -              200     200     200   200   200       200   200    200     200
readVersion          -              200     200     200   200   200       200   200    200     200
readWebhook          webhook        401     401     401   404   404       404   404    404     200
redeliverWebhookMessage webhook        401     401     401   404   404       404   404    404     404
reportPlayer         -              401     401     401   201   201       201   201    201     403
createAccount        -              201     401     401   201   403       201   403    403     403
requestRematch       over           401     401     401   403   403       403   403    200     200
resetPassword        -              410     410     410   410   410       410   410    410     410
revokeAccessToken    -              401     401     401   404   404       404   404    404     404
revokeAllSessions    -              401     401     401   204   204       204   204    204     204
revokeSession        -              401     401     401   404   404       404   404    404     204
revokeCurrentSession -              401     401     401   204   204       204   204    204     204
rotateWebhookSecret  webhook        401     401     401   404   404       404   404    404     200
sayPhrase            playing        401     401     401   403   403       403   403    200     200
sayPhrase            private        401     401     401   404   404       404   404    200     200
seatBot              open           401     401     401   403   403       403   403    403     200
seatBot              hidden         401     401     401   404   404       404   404    403     200
createSession        -              201     201     201   201   201       201   201    201     201
startGame            open           401     401     401   403   403       403   403    403     200
startGame            hidden         401     401     401   404   404       404   404    403     200
streamMyGames        -              401     401     401   200   200       200   200    200     200
streamEvents         playing        401     401     401   200   200       200   200    200     200
streamEvents         private        401     401     401   404   404       404   404    200     200
/ws/v1/games         playing       4401    4401    4401    ok    ok        ok    ok     ok      ok
/ws/v1/games         private       4401    4401    4401  4404  4404      4404  4404     ok      ok
/ws/v1/lobby         -             4401    4401    4401    ok    ok        ok    ok     ok      ok
/ws/v1/me            -             4401    4401    4401    ok    ok        ok    ok     ok      ok
"""

Row = tuple[str, str, tuple[str, ...]]


def rows() -> list[Row]:
    heading, *lines = [line.split() for line in TABLE.strip().splitlines()]
    if tuple(heading[2:]) != ROLES:
        raise ValueError("the columns are not the roles")
    return [(operation, game, tuple(cells)) for operation, game, *cells in lines]
