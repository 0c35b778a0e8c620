-- Takes a lock unless another owner has it. If the owner asks again, the lock is
-- extended: a worker whose first reply was lost learns that the lock is its own.
-- A key that never expires, or only after ten times the TTL, is damaged. The lock is
-- taken, because otherwise it would never become free.
-- KEYS: 1 the lock. ARGV: 1 the owner's id and name, 2 milliseconds to live.
-- Returns the owner of the lock.
if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then
  return ARGV[1]
end
local held = text(KEYS[1])
local left = redis.call('PTTL', KEYS[1])
if not held or left < 0 or left > 10 * ARGV[2] then
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
  return ARGV[1]
end
if held == ARGV[1] then
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
return held
