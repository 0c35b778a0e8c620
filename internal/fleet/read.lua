-- text returns the string at a key, or false if the key does not exist. A key of another
-- type, or with more than 16 KiB, is damaged. It is deleted, because otherwise every later
-- call would fail, or a worker would have to read a reply of any size.
local function text(key)
  local value = redis.pcall('GET', key)
  if type(value) == 'table' or value and #value > 16384 then
    redis.call('DEL', key)
    return false
  end
  return value
end

-- number returns the number at a key. It returns the argument otherwise if the key has no
-- finite number.
local function number(key, otherwise)
  local n = tonumber(text(key) or otherwise)
  if not n or n ~= n or n == math.huge or n == -math.huge then
    return otherwise
  end
  return n
end

