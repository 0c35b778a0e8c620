-- Gives a lock back, if it is still its owner's.
-- KEYS: 1 the lock. ARGV: 1 owner and holder's name.
-- Answers 1, or 0 when it was not (any more).
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 0
end
return redis.call('DEL', KEYS[1])
