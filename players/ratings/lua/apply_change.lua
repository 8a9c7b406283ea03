-- A change is the revision before it, the revision after it, and for each player the new value in every set.
local function apply(change, sets)
    for at = 3, #change, #sets + 1 do
        for n = 1, #sets do
            if change[at + n] == '' then
                redis.call('ZREM', sets[n], change[at])
            else
                redis.call('ZADD', sets[n], change[at + n], change[at])
            end
        end
    end
end
