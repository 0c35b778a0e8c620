-- KEYS: 1 a key. Returns the string at the key, or '' if the key does not exist.
return text(KEYS[1]) or ''
