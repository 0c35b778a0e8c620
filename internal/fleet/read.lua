-- text returns the string at a key, or false if there is none. A key of another type is
-- not ours, or damaged: it is deleted, because it would fail every call from here on.
local function text(key)
  local value = redis.pcall('GET', key)
  if type(value) == 'table' then
    redis.call('DEL', key)
    return false
  end
  return value
end

-- number returns the number at a key, or otherwise if there is none that is finite.
local function number(key, otherwise)
  local n = tonumber(text(key) or otherwise)
  if not n or n ~= n or n == math.huge or n == -math.huge then
    return otherwise
  end
  return n
end

