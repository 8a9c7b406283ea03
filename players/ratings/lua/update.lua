-- Apply a change to sets that are complete and have the revision before it; delete any other sets.
local revision_key, missed, kept = KEYS[1], KEYS[2], table.remove(ARGV)
local sets = {unpack(KEYS, 3)}
if redis.call('EXISTS', missed) == 1 then
    redis.call('HSET', missed, ARGV[1], cmsgpack.pack(ARGV))
end
local revision = redis.call('GET', revision_key)
if revision == ARGV[2] then
    return
end
if revision ~= ARGV[1] or redis.call('EXISTS', unpack(sets)) < #sets then
    return redis.call('DEL', revision_key, unpack(sets))
end
apply(ARGV, sets)
for n = 1, #sets do
    redis.call('EXPIRE', sets[n], kept)
end
redis.call('SET', revision_key, ARGV[2], 'EX', kept)
