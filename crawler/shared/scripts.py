"""The steps of the queue, as the server runs them; ``crawler.shared.queue`` has its keys.

KEYS[1] is what all keys of the queue begin with.
"""

_LISTS = """
local home = KEYS[1]

local function list_of(key)
  return key == '' and home .. 'waiting' or home .. 'waiting:' .. key
end

-- key, number of the first URL, length; the list of an earlier version has no numbers
local function head(key)
  local list = list_of(key)
  local first = key ~= '' and redis.call('LINDEX', list, 0) or '0'
  return {key, tonumber(string.match(first, '^%d+')), redis.call('LLEN', list)}
end

local function heads(keys)
  local found = {}
  for key in pairs(keys) do table.insert(found, head(key)) end
  return found
end

local function take(key, taken)
  local entry = redis.call('LPOP', list_of(key))
  if not entry then return end
  if key == '' then return redis.call('RPUSH', taken, entry) end
  local number, url = string.match(entry, '^(%d+) (.*)$')
  local name = redis.call('HGET', home .. 'names', key)
  redis.call('HSET', home .. 'places', url, number .. ' ' .. key .. ' ' .. name)
  redis.call('RPUSH', taken, url)
  if redis.call('LLEN', list_of(key)) == 0 then redis.call('HDEL', home .. 'names', key) end
end

-- where it was: behind URLs of smaller numbers, which others have put back before
local function put_back(url)
  local place = redis.call('HGET', home .. 'places', url)
  if not place then return redis.call('LPUSH', home .. 'waiting', url) end
  local number, key, name = string.match(place, '^(%d+) (%x+) (.*)$')
  local list, before = list_of(key), {}
  while true do
    local first = redis.call('LINDEX', list, 0)
    if not first or tonumber(string.match(first, '^%d+')) > tonumber(number) then break end
    table.insert(before, redis.call('LPOP', list))
  end
  redis.call('LPUSH', list, number .. ' ' .. url)
  for last = #before, 1, -1 do redis.call('LPUSH', list, before[last]) end
  redis.call('HSET', home .. 'names', key, name)
  redis.call('HDEL', home .. 'places', url)
end
"""

# Arguments: names of lists by key, as JSON; then URLs, each with the key of its list.
PUSH = (
    _LISTS
    + """
local names, count, filled = cjson.decode(ARGV[1]), 0, {}
for at = 2, #ARGV, 2 do
  local url, key = ARGV[at], ARGV[at + 1]
  if redis.call('SADD', home .. 'seen', url) == 1 then
    local number = redis.call('SCARD', home .. 'seen')
    if redis.call('RPUSH', list_of(key), number .. ' ' .. url) == 1 then
      redis.call('HSET', home .. 'names', key, names[key])
    end
    filled[key] = true
    count = count + 1
  end
end
return {count, heads(filled)}
"""
)

# Gives the heads of all lists.
LOOK = (
    _LISTS
    + """
local keys = {['']=true}
for _, key in ipairs(redis.call('HKEYS', home .. 'names')) do keys[key] = true end
return heads(keys)
"""
)

# Arguments: a worker, keys of lists. Gives what it has in hand, whence it came, the heads of these
# lists, and the numbers of all workers.
TAKE = (
    _LISTS
    + """
local taken, keys = home .. 'taken:' .. ARGV[1], {}
redis.call('HINCRBY', home .. 'beats', ARGV[1], 1)
for at = 2, #ARGV do
  take(ARGV[at], taken)
  keys[ARGV[at]] = true
end
local urls = redis.call('LRANGE', taken, 0, -1)
local places = {}
for at, url in ipairs(urls) do places[at] = redis.call('HGET', home .. 'places', url) or '' end
return {urls, places, heads(keys), redis.call('HGETALL', home .. 'beats')}
"""
)

# Arguments: a worker, URLs that it had in hand.
DONE = """
local home = KEYS[1]
for at = 2, #ARGV do
  if redis.call('LREM', home .. 'taken:' .. ARGV[1], 1, ARGV[at]) == 1 then
    redis.call('HDEL', home .. 'places', ARGV[at])
  end
end
"""

# Arguments: a worker, and the number that it stopped at; none where it leaves.
GIVE_BACK = (
    _LISTS
    + """
local taken = home .. 'taken:' .. ARGV[1]
if ARGV[2] ~= '' and redis.call('HGET', home .. 'beats', ARGV[1]) ~= ARGV[2] then return 0 end
redis.call('HDEL', home .. 'beats', ARGV[1])
local count = 0
while true do
  local url = redis.call('RPOP', taken)
  if not url then return count end
  put_back(url)
  count = count + 1
end
"""
)

# Gives how many URLs wait, and how many are in hand.
COUNT = (
    _LISTS
    + """
local waiting, taken = redis.call('LLEN', list_of('')), 0
for _, key in ipairs(redis.call('HKEYS', home .. 'names')) do
  waiting = waiting + redis.call('LLEN', list_of(key))
end
for _, worker in ipairs(redis.call('HKEYS', home .. 'beats')) do
  taken = taken + redis.call('LLEN', home .. 'taken:' .. worker)
end
return {waiting, taken}
"""
)
