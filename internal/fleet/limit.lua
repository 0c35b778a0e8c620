-- Takes a call of an advertiser, or returns how long to wait before asking again.
-- The algorithm is GCRA: a key has the time at which the next call would be due if no
-- call ever came early. A call may come early by up to burst - 1 intervals. A call that
-- may not use the reserve must be due by both keys.
-- KEYS: 1 all calls, 2 calls without the reserve, 3 the stop.
-- ARGV: 1 interval in microseconds and 2 burst of all calls, 3 and 4 the same
-- without the reserve, 5 "1" for a call that may use the reserve.
-- Returns 0 (taken), or the microseconds to wait (nothing taken).
local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]
-- A stop ends when its key expires, and lasts an hour at most.
local stop = math.min(number(KEYS[3], 0) - now, 1000 * redis.call('PTTL', KEYS[3]))
if stop > 0 and stop <= 3600e6 then
  return math.ceil(stop)
end

-- due returns how long to wait, and the key's next value if the call passes.
-- A value further in the future than the rate allows is reduced: the rate was changed,
-- or Redis's clock was set back.
local function due(key, interval, burst)
  local early = interval * burst
  local at = number(key, now)
  at = math.min(math.max(at, now), now + early) + interval
  return math.ceil(at - early - now), at
end

local function take(key, at)
  redis.call('SET', key, string.format('%.3f', at), 'PX', string.format('%.0f', math.ceil((at - now) / 1000) + 1000))
end

local wait, at = due(KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2]))
if ARGV[5] == '1' then
  if wait <= 0 then
    take(KEYS[1], at)
    return 0
  end
  return wait
end
local wait2, at2 = due(KEYS[2], tonumber(ARGV[3]), tonumber(ARGV[4]))
if wait <= 0 and wait2 <= 0 then
  take(KEYS[1], at)
  take(KEYS[2], at2)
  return 0
end
return math.max(wait, wait2)
