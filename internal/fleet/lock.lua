-- Takes a lock unless somebody has it. Asking again as its owner extends it,
-- so that whoever lost the first reply reads back that the lock is his.
-- KEYS: 1 the lock. ARGV: 1 owner and holder's name, 2 milliseconds to live.
-- Answers who has the lock now.
if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then
  return ARGV[1]
end
local held = redis.call('GET', KEYS[1])
if held == ARGV[1] then
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
return held
