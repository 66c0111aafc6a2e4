"""Parts of the server's Lua scripts that several scripts share.

Lua creates the functions of a script again at every call, so each script contains only the parts
that it needs.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property

from dedup.store.interface import MOST_PAGES

ID_BYTES = 5
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
