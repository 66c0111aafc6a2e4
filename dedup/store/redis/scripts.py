"""The Lua scripts that run on the server: one for each operation, each an atomic step.

A bucket is one string of entries of equal width, next to each other:

    entry    rest of a word, or of a request's digest; page number (5 octets)

The key of the bucket contains the other bits of the word. A word of too many pages has a single
entry left; its page number is a mark, whose first bit is set. A word of a space without a cap has
at most MOST_PAGES pages, so a flood of one word cannot grow its buckets without limit.

Each script gets all keys that are known beforehand as KEYS. Other keys in a script are home keys,
which share a slot with the first key. In the scripts for one server they may also be records and
texts of pages. Running a script twice with the same arguments is harmless, so a command whose
answer was lost can be sent again.

Lua creates the functions of a script again at every call, so each script contains only the shared
parts that it needs.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property

from dedup.store.interface import MOST_PAGES, MOST_TALLIES
from dedup.store.tallies import MOST_NUMBER, NUMBERS
from dedup.urls.tally import MOST_DOWNLOADS

ID_BYTES = 5
ADDED_MS = 600_000  # Milliseconds within which an addition to tallies may be sent again.
ARGUMENTS = 1000  # Most arguments of a command in a script: even, and within Lua's stack limit.


@dataclass(frozen=True)
class Script:
    """A script; the server finds it by the digest of its text."""

    text: str

    @cached_property
    def sha(self) -> bytes:
        """The digest that the server uses as the script's name."""
        return hashlib.sha1(self.text.encode(), usedforsecurity=False).hexdigest().encode()


_BITS = "".join(f"\\{octet.bit_count()}" for octet in range(256))

READ_BUCKETS = f"""
local call, byte, sub, find = redis.call, string.byte, string.sub, string.find
local ID, FULL, MOST = {ID_BYTES}, {MOST_PAGES}, {ARGUMENTS}

-- The values of keys from one on, in their order; false where there is none.
local function get_all(keys, first)
  local values = {{}}
  if first <= #keys and #keys - first < MOST then return call('MGET', unpack(keys, first)) end
  for at = first, #keys, MOST do
    local some = call('MGET', unpack(keys, at, math.min(at + MOST - 1, #keys)))
    for _, value in ipairs(some) do values[#values + 1] = value end
  end
  return values
end

-- Append the numbers of the entries that are equal to one.
local function equal(bucket, rest, ids)
  local width = #rest
  local size = width + ID
  local at = find(bucket, rest, 1, true)
  while at do
    local over = (at - 1) % size
    if over == 0 then ids[#ids + 1] = sub(bucket, at + width, at + size - 1) end
    at = find(bucket, rest, at + 1, true)
  end
end
"""

FIND_NEAR = (
    f"local bxor, BITS = bit.bxor, '{_BITS}'\n"
    + """
-- Whether the entry at a place is within a distance.
local function is_near(bucket, at, rest, radius)
  local apart = 0
  for place = 1, #rest do
    apart = apart + byte(BITS, bxor(byte(rest, place), byte(bucket, at + place - 1)) + 1)
    if apart > radius then return false end
  end
  return true
end

-- Append the numbers of the entries within a distance, some of them twice. Cut in radius + 1 parts,
-- such an entry has one unchanged (the pigeonhole again): only those that have are looked at. The
-- first part is among the longest, as the first octet of a rest may hold but a bit or two.
local function near(bucket, rest, radius, ids)
  local width = #rest
  local size = width + ID
  local function take(at)
    if is_near(bucket, at, rest, radius) then
      ids[#ids + 1] = sub(bucket, at + width, at + size - 1)
    end
  end
  if radius >= width then
    for at = 1, #bucket, size do take(at) end
    return
  end
  local first = 1
  for part = 1, radius + 1 do
    local last = math.ceil(part * width / (radius + 1))
    local same = sub(rest, first, last)
    local hit = find(bucket, same, first, true)
    while hit do
      if (hit - first) % size == 0 then take(hit - first + 1) end
      hit = find(bucket, same, hit + 1, true)
    end
    first = last + 1
  end
end
"""
)

CHANGE_BUCKETS = """
-- A bucket without the entries that begin so.
local function without(bucket, entry, size)
  local kept = {}
  for at = 1, #bucket, size do
    if sub(bucket, at, at + #entry - 1) ~= entry then
      kept[#kept + 1] = sub(bucket, at, at + size - 1)
    end
  end
  return table.concat(kept)
end

-- Buckets are got together, changed here, and set together: a call takes longer than a change.
local held, changed = {}, {}

local function hold(first)
  for place, bucket in ipairs(get_all(KEYS, first)) do
    held[KEYS[first + place - 1]] = bucket or ''
  end
end

-- A change is one string: + or -; the cap, 0 for none; a mark for the word; the rest of the word.
local function change(key, what, id)
  local bucket, rest = held[key], sub(what, 6 + ID)
  local size = #rest + ID
  if byte(what) == 45 then
    held[key], changed[key] = without(bucket, rest .. id, size), true
    return
  end
  if find(bucket, rest, 1, true) then
    local ids, cap, mark = {}, struct.unpack('>I4', what, 2), sub(what, 6, 5 + ID)
    equal(bucket, rest, ids)
    for _, known in ipairs(ids) do
      if known == id or byte(known) >= 128 then return end
    end
    if cap == 0 and #ids >= FULL then return end
    if cap > 0 and #ids >= cap then
      held[key], changed[key] = without(bucket, rest, size) .. rest .. mark, true
      return
    end
  end
  held[key], changed[key] = bucket .. rest .. id, true
end

-- Set what was changed, and keys and values that the caller has.
local function set_all(values)
  for key in pairs(changed) do
    local bucket = held[key]
    if bucket == '' then call('DEL', key)
    else
      values[#values + 1] = key
      values[#values + 1] = bucket
    end
  end
  for at = 1, #values, MOST do
    call('MSET', unpack(values, at, math.min(at + MOST - 1, #values)))
  end
end
"""

END_FLIGHT = """
-- Home keys: r ticket -> owner, record, places, turn; w place -> tickets; o owner, while it lives;
-- m owners. Turns are counted up.
local function give_up(home, ticket)
  local packed = call('HGET', home .. 'r', ticket)
  if packed then
    for _, place in ipairs(cmsgpack.unpack(packed)[3]) do
      call('SREM', home .. 'w' .. place, ticket)
    end
    call('HDEL', home .. 'r', ticket)
  end
end
"""

READ_FLIGHT = (
    END_FLIGHT
    + """
-- A page in flight; where its owner is dead nothing, and it is in flight no more.
local function in_flight(home, ticket)
  local packed = call('HGET', home .. 'r', ticket)
  if not packed then return nil end
  local flight = cmsgpack.unpack(packed)
  if call('EXISTS', home .. 'o' .. flight[1]) == 1 then return flight end
  give_up(home, ticket)
  return nil
end
"""
)

NEAR = Script(
    READ_BUCKETS
    + FIND_NEAR
    + """
-- ARGV: where the records are, or nothing; the number of keys whose pages all come with their
-- records; the largest number of records for the pages under the other keys, the oldest pages
-- first; then for each key a radius (1 octet) and a rest.
-- Returns the hits: number of the key, page numbers; with records: also pages and their records.
local hits, ids, others = {}, {}, {}
local whole, most = tonumber(ARGV[2]), tonumber(ARGV[3])
for number, bucket in ipairs(get_all(KEYS, 1)) do
  if bucket then
    local asked, found = ARGV[number + 3], {}
    local radius = byte(asked)
    if radius == 0 then equal(bucket, sub(asked, 2), found)
    else near(bucket, sub(asked, 2), radius, found) end
    if found[1] then
      hits[#hits + 1] = number
      hits[#hits + 1] = table.concat(found)
      local into = number <= whole and ids or others
      for _, id in ipairs(found) do into[#into + 1] = id end
    end
  end
end
if ARGV[1] == '' or not hits[1] then return hits end
if #others > most then table.sort(others) end
local pages, seen = {}, {}
local function take(id)
  if seen[id] or byte(id) >= 128 then return 0 end
  seen[id] = true
  pages[#pages + 1] = id
  pages[#pages + 1] = call('GET', ARGV[1] .. id)
  return 1
end
for _, id in ipairs(ids) do take(id) end
for _, id in ipairs(others) do
  if most <= 0 then break end
  most = most - take(id)
end
return {hits, pages}
"""
)

CHANGE = Script(
    READ_BUCKETS
    + CHANGE_BUCKETS
    + """
-- ARGV: a page number, then for each key a change.
hold(1)
for number, key in ipairs(KEYS) do change(key, ARGV[number + 1], ARGV[1]) end
set_all({})
"""
)

ENROL = Script(
    READ_BUCKETS
    + CHANGE_BUCKETS
    + """
-- Give a request's digest a page number. ARGV: the page number, the numbers known, the change.
-- Returns the numbers under that digest where they are others than those known.
local ids = {}
hold(1)
equal(held[KEYS[1]], sub(ARGV[3], 6 + ID), ids)
ids = table.concat(ids)
if ids ~= ARGV[2] then return ids end
change(KEYS[1], ARGV[3], ARGV[1])
set_all({})
return ''
"""
)

EXCHANGE = Script("""
-- Put a record in the place of another. ARGV: the old one, the new one or nothing.
-- Returns 0 where the old record is a third one by now.
local stored = redis.call('GET', KEYS[1]) or ''
if stored ~= ARGV[1] then return stored == ARGV[2] and 1 or 0 end
if ARGV[2] == '' then redis.call('DEL', KEYS[1]) else redis.call('SET', KEYS[1], ARGV[2]) end
return 1
""")

ADD_PAGE = Script(
    READ_BUCKETS
    + CHANGE_BUCKETS
    + END_FLIGHT
    + """
-- For one server: store a page of a new request, whole, and end its reservation.
-- KEYS: home, the bucket of the request, those of the words.
-- ARGV: where records are, where texts are, numbers known under the request's digest, record, text,
-- ticket or nothing, then for each bucket a change.
-- Returns the page's number; or the numbers under that digest where they are others.
local home, ids = KEYS[1], {}
hold(2)
equal(held[KEYS[2]], sub(ARGV[7], 6 + ID), ids)
ids = table.concat(ids)
if ids ~= ARGV[3] then return ids end
local number = call('HINCRBY', home .. 'h', 'last', 1)
local id = struct.pack('>I5', number)
local values = {ARGV[1] .. id, ARGV[4]}
if ARGV[5] ~= '' then values[3], values[4] = ARGV[2] .. id, ARGV[5] end
for place = 2, #KEYS do change(KEYS[place], ARGV[place + 5], id) end
set_all(values)
call('HINCRBY', home .. 'h', 'pages', 1)
if ARGV[6] ~= '' then give_up(home, ARGV[6]) end
return number
"""
)

CHANGE_PAGE = Script(
    READ_BUCKETS
    + CHANGE_BUCKETS
    + END_FLIGHT
    + """
-- For one server: put a page's record in the place of its old one, or take the page out.
-- KEYS: home, record, text, buckets. ARGV: page number, old record, new record or nothing, text
-- (- to delete it, = to leave it), ticket or nothing, then for each bucket a change.
-- Returns 0 where the old record is another by now, unless the page is out as it should be.
local home, stored = KEYS[1], call('GET', KEYS[2]) or ''
if stored ~= ARGV[2] then return stored .. ARGV[3] == '' and 1 or 0 end
if ARGV[3] == '' then
  call('DEL', KEYS[2])
  call('HINCRBY', home .. 'h', 'pages', -1)
else
  call('SET', KEYS[2], ARGV[3])
end
if ARGV[4] == '-' then call('DEL', KEYS[3])
elseif ARGV[4] ~= '=' then call('SET', KEYS[3], ARGV[4]) end
if KEYS[4] then
  hold(4)
  for place = 4, #KEYS do change(KEYS[place], ARGV[place + 2], ARGV[1]) end
  set_all({})
end
if ARGV[5] ~= '' then give_up(home, ARGV[5]) end
return 1
"""
)

RESERVE = Script(
    "local call = redis.call"
    + READ_FLIGHT
    + """
-- Reserve a page, and find those in flight that came before it. If it is reserved again, it keeps
-- its turn.
-- ARGV: ticket, owner, record, number of its places; these, then the other places to look at.
-- Returns tickets and records of the pages in flight that share a place.
local home, ticket, count = KEYS[1], ARGV[1], tonumber(ARGV[4])
local found, seen, places = {}, {[ticket] = true}, {}
local own = call('HGET', home .. 'r', ticket)
local turn = own and cmsgpack.unpack(own)[4] or call('HINCRBY', home .. 'h', 'turn', 1)
for number = 5, #ARGV do
  local key = home .. 'w' .. ARGV[number]
  for _, other in ipairs(call('SMEMBERS', key)) do
    if not seen[other] then
      seen[other] = true
      local flight = in_flight(home, other)
      if flight and flight[4] < turn then
        found[#found + 1] = other
        found[#found + 1] = flight[2]
      end
    end
  end
  if number < 5 + count then
    call('SADD', key, ticket)
    places[#places + 1] = ARGV[number]
  end
end
call('HSET', home .. 'r', ticket, cmsgpack.pack({ARGV[2], ARGV[3], places, turn}))
return found
"""
)

GIVE_UP = Script(
    "local call = redis.call"
    + END_FLIGHT
    + """
-- Give reservations up. ARGV: tickets.
for _, ticket in ipairs(ARGV) do give_up(KEYS[1], ticket) end
"""
)

STILL_OPEN = Script(
    "local call = redis.call"
    + READ_FLIGHT
    + """
-- Those of some reservations that stand. ARGV: tickets.
local open = {}
for _, ticket in ipairs(ARGV) do
  if in_flight(KEYS[1], ticket) then open[#open + 1] = ticket end
end
return open
"""
)

ENLIST = Script("""
-- Begin to write, or go on, where the index is still the one that was opened.
-- ARGV: owner, milliseconds of its lease, id and generation of the index.
-- Returns id and generation of the index; empty strings if there is none; false during a rebuild.
local home = KEYS[1]
if redis.call('EXISTS', home .. 'b') == 1 then return false end
if redis.call('HEXISTS', home .. 'h', 'header') == 0 then return {'', ''} end
local known = redis.call('HMGET', home .. 'h', 'id', 'generation')
local id, generation = known[1] or '', known[2] or '0'
if id == ARGV[3] and generation == ARGV[4] then
  redis.call('SET', home .. 'o' .. ARGV[1], '', 'PX', ARGV[2])
  redis.call('SADD', home .. 'm', ARGV[1])
end
return {id, generation}
""")

BEGIN_ANEW = Script("""
-- Give an index that the server lost its header again. ARGV: fields of the header.
-- Changes nothing where there is a header: another process has made an index of its own.
local key = KEYS[1] .. 'h'
if redis.call('HEXISTS', key, 'header') == 0 then redis.call('HSET', key, unpack(ARGV)) end
""")

OCCUPY = Script("""
-- Begin to make the index anew, where nobody else writes. ARGV: owner, milliseconds of its lease.
-- Returns how many others write.
local home = KEYS[1]
local holder = redis.call('GET', home .. 'b')
local others = holder and holder ~= ARGV[1] and 1 or 0
for _, owner in ipairs(redis.call('SMEMBERS', home .. 'm')) do
  if redis.call('EXISTS', home .. 'o' .. owner) == 0 then redis.call('SREM', home .. 'm', owner)
  elseif owner ~= ARGV[1] then others = others + 1 end
end
if others == 0 then redis.call('SET', home .. 'b', ARGV[1], 'PX', ARGV[2]) end
return others
""")

HOLD = Script("""
-- Go on to make the index anew. ARGV: owner, milliseconds of its lease.
-- Returns whether it is still the owner that does: one that slept is not.
local home = KEYS[1]
if redis.call('GET', home .. 'b') ~= ARGV[1] then return 0 end
redis.call('SET', home .. 'o' .. ARGV[1], '', 'PX', ARGV[2])
redis.call('PEXPIRE', home .. 'b', ARGV[2])
return 1
""")

CHANGE_OVER = Script("""
-- Use the index made anew. ARGV: owner, the last page number it has, then fields of the header.
-- Returns 0, and changes nothing, where others were let in meanwhile.
local home = KEYS[1]
if redis.call('GET', home .. 'b') ~= ARGV[1] then return 0 end
if (redis.call('HGET', home .. 'h', 'last') or '0') ~= ARGV[2] then return 0 end
redis.call('HSET', home .. 'h', unpack(ARGV, 3))
return 1
""")

VACATE = Script("""
-- Let others write again. ARGV: owner.
if redis.call('GET', KEYS[1] .. 'b') == ARGV[1] then redis.call('DEL', KEYS[1] .. 'b') end
""")

ADD_TALLIES = Script(
    f"local AGAIN, MOST, DOWNLOADS, NUMBER = {ADDED_MS}, {MOST_TALLIES}, "
    f"{MOST_DOWNLOADS}, {MOST_NUMBER}\n"
    f"local FORM, SIZE = '>I8I8I8I8I4', {NUMBERS.size}"
    """
-- Add to the tallies of URL patterns, as Tally.plus does. ARGV: a token of this addition, then
-- patterns and packed tallies, in turn. The bytes of a tally are in store/tallies.py.
local call, home = redis.call, KEYS[1]
local key = home .. 'l'
if not call('SET', home .. 'd' .. ARGV[1], '', 'NX', 'PX', AGAIN) then return end

-- The four numbers of a tally, whether it has a URL, and its bytes after the numbers.
local function read(packed)
  if packed and #packed >= SIZE then
    local a, b, c, d, length = struct.unpack(FORM, packed)
    if SIZE + length <= #packed and math.max(a, b, c, d) <= NUMBER then
      return {a, b, c, d}, length > 0, string.sub(packed, SIZE - 3)
    end
  end
  return {0, 0, 0, 0}, false, string.rep('\\0', 4)
end

local count = call('HLEN', key)
for at = 2, #ARGV, 2 do
  local stored = call('HGET', key, ARGV[at])
  if not stored then count = count + 1 end
  if stored or count <= MOST then
    local mine, _, rest = read(stored)
    local its, has_url, its_rest = read(ARGV[at + 1])
    local share = mine[1] + its[1] > DOWNLOADS and 2 or 1
    for n = 1, 4 do mine[n] = math.min(math.floor((mine[n] + its[n]) / share), NUMBER) end
    local numbers = struct.pack('>I8I8I8I8', unpack(mine))
    call('HSET', key, ARGV[at], numbers .. (has_url and its_rest or rest))
  end
end
"""
)

# All scripts above; a connection loads them together.
SCRIPTS = tuple(value for value in globals().values() if isinstance(value, Script))
