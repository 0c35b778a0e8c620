-- Releases a lock if it still belongs to the owner.
-- KEYS: 1 the lock. ARGV: 1 the owner's id and name.
-- Returns 1, or 0 if it does not belong to the owner.
if text(KEYS[1]) ~= ARGV[1] then
  return 0
end
return redis.call('DEL', KEYS[1])
