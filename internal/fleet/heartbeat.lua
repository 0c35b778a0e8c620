-- Records a heartbeat of a worker and removes the workers without a recent heartbeat.
-- KEYS: 1 the workers, by the time of their last heartbeat.
-- ARGV: 1 the worker, 2 milliseconds without a heartbeat after which a worker is removed.
-- Returns the number of workers, and the milliseconds since the oldest of their heartbeats.
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
if type(redis.pcall('ZCARD', KEYS[1])) == 'table' then
  redis.call('DEL', KEYS[1]) -- another type: damaged
end
redis.call('ZADD', KEYS[1], string.format('%.0f', now), ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('(%.0f', now - ARGV[2]))
redis.call('PEXPIRE', KEYS[1], string.format('%.0f', 10 * ARGV[2]))
local oldest = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
return {redis.call('ZCARD', KEYS[1]), now - tonumber(oldest[2])}
