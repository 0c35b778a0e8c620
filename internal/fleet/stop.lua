-- Stops all calls of an advertiser for a time; a longer stop stays in effect.
-- KEYS: 1 the stop. ARGV: 1 microseconds.
-- The key has the time at which the stop ends, in microseconds. Returns the
-- microseconds until then.
local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]
local left = math.min(number(KEYS[1], now) - now, 1000 * redis.call('PTTL', KEYS[1]))
if left >= tonumber(ARGV[1]) then
  return left
end
redis.call('SET', KEYS[1], string.format('%.0f', now + ARGV[1]), 'PX', string.format('%.0f', math.ceil(ARGV[1] / 1000)))
return tonumber(ARGV[1])
