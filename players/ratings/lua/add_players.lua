-- Add players to every set. They come packed in one argument, because redis-py is slow with many small arguments.
local format, size, added = '>c16' .. string.rep('i4', #KEYS), 16 + 4 * #KEYS, {}
for n = 1, #KEYS do
    added[n] = {}
end
for at = 1, #ARGV[1], size do
    local row = {struct.unpack(format, ARGV[1], at)}
    for n = 1, #KEYS do
        table.insert(added[n], row[n + 1])
        table.insert(added[n], row[1])
    end
end
for n = 1, #KEYS do
    redis.call('ZADD', KEYS[n], unpack(added[n]))
    redis.call('EXPIRE', KEYS[n], ARGV[2])
end
