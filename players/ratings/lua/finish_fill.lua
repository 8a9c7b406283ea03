-- Replace the sets by the filled ones, after the changes that came meanwhile. If Redis has lost the list of those
-- changes or some of the players, delete the filled sets instead.
local revision_key, missed, size = KEYS[1], KEYS[2], (#KEYS - 2) / 2
local sets, filled = {unpack(KEYS, 3, 2 + size)}, {unpack(KEYS, 3 + size)}
local revision, players, fill_id, kept = unpack(ARGV)
local is_complete = redis.call('HGET', missed, 'filling') == fill_id
for n = 1, size do
    is_complete = is_complete and redis.call('ZCARD', filled[n]) == tonumber(players)
end
if not is_complete then
    return redis.call('DEL', missed, unpack(filled))
end
local change = redis.call('HGET', missed, revision)
while change do
    change = cmsgpack.unpack(change)
    apply(change, filled)
    revision = change[2]
    change = redis.call('HGET', missed, revision)
end
for n = 1, size do
    redis.call('RENAME', filled[n], sets[n])
end
redis.call('SET', revision_key, revision, 'EX', kept)
redis.call('DEL', missed)
