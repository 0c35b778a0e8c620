-- Lets a lock live on, if it is still its owner's.
-- KEYS: 1 the lock. ARGV: 1 owner and holder's name, 2 milliseconds to live.
-- Answers 1, or 0 when it is not (any more).
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 0
end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])
