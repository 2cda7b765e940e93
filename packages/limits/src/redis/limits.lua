-- The windows of one key and its account, taken together on the server: the same steps as ../owner-window.ts and
-- ../moment-queue.ts, which explain them. Keep both in sync.
--
-- KEYS  the key's hash, the account's hash
-- ARGV  1 what to do: take | peek | settle
--       2 the time in milliseconds, for tests; '' for the server's clock, which all replicas share
--       3 4 rpm and tpm of the key   5 6 rpm and tpm of the account; '' for no limit
--       take:   7 tokens
--       settle: 7 8 positions in the two hashes   9 10 requests and tokens given back   11 tokens owed
-- Reply  1 taken, 0 to be tried again, 2 never; owner 1 key, 2 account; limit 1 requests, 2 tokens; milliseconds to wait;
--        the two positions; for each owner remaining and reset of its requests and its tokens, -1 for no limit
--
-- A hash has a field for each moment, named by its position (its time, requests and tokens), and one, m, with these:
-- h and t, the positions of the first moment and after the last; r and k, the sums of requests and tokens; d, the debt;
-- lr and lk, the time of the last request and token; lt, of the last moment; l, the last time seen; o, how far that is
-- ahead of the server; of an owner in debt, for the limit cp and cw tokens, when there is room (cr) and when the last
-- token has left (cs), which passing time does not change.
-- Positions start at the server's microseconds, so that positions of a deleted hash are never reused.

local WINDOW, FINE, COARSE, MOST, PAGE = 60000, 1024, 64, 2048, 64
local META = { 'h', 't', 'r', 'k', 'd', 'lr', 'lk', 'lt', 'l', 'o', 'cp', 'cw', 'cr', 'cs' }

local function whole(number) return string.format('%.0f', number) end

local time = ARGV[2] == '' and redis.call('TIME') or { 0, ARGV[2] * 1000 }
local micros = time[1] * 1000000 + time[2]
local serverMs = math.floor(micros / 1000)

local function open(key, rpm, tpm)
  local w = { key = key, rpm = tonumber(rpm), tpm = tonumber(tpm), read = {}, changed = {}, gone = {}, page = 1, dirty = false }
  if not w.rpm and not w.tpm then return nil end
  local kept = redis.call('HGET', key, 'm')
  local values = kept and cmsgpack.unpack(kept) or { micros, micros }
  for i = 1, #META do w[META[i]] = values[i] or 0 end
  -- If the server's clock was set back, the owner's clock continues from its last time.
  if serverMs + w.o < w.l then w.o = w.l - serverMs end
  w.l = serverMs + w.o
  w.now = w.l
  return w
end

local function moment(w, at)
  if not w.read[at] then
    -- Reads one moment first, then increasingly many at a time.
    local last = math.min(at + w.page, w.t) - 1
    w.page = math.min(w.page * 2, PAGE)
    local fields = {}
    for position = at, last do fields[#fields + 1] = whole(position) end
    for i, value in ipairs(redis.call('HMGET', w.key, unpack(fields))) do
      if not w.read[at + i - 1] then
        local ms, requests, tokens = cmsgpack.unpack(value)
        w.read[at + i - 1] = { ms = ms, r = requests, k = tokens }
      end
    end
  end
  return w.read[at]
end

local function change(w, at, requests, tokens)
  local found = moment(w, at)
  found.r = found.r + requests
  found.k = found.k + tokens
  w.changed[at] = found
  w.dirty = true
end

local function put(w, ms, requests, tokens)
  local count = w.t - w.h
  if count > 0 and (ms <= w.lt or count >= MOST) then
    change(w, w.t - 1, requests, tokens)
    w.lt = math.max(ms, w.lt)
    w.read[w.t - 1].ms = w.lt
    return w.t - 1
  end
  w.read[w.t] = { ms = ms, r = requests, k = tokens }
  w.changed[w.t] = w.read[w.t]
  w.lt = ms
  w.t = w.t + 1
  w.dirty = true
  return w.t - 1
end

local function append(w, ms, requests, tokens)
  if w.t - w.h >= FINE then ms = math.ceil(ms / COARSE) * COARSE end
  return put(w, ms, requests, tokens)
end

local function dropFirst(w)
  w.gone[#w.gone + 1] = w.h
  w.changed[w.h] = nil
  w.h = w.h + 1
  w.dirty = true
end

local function payable(w)
  return w.tpm and w.d > 0 and math.min(w.d, w.tpm - w.k) or 0
end

local function pay(w, tokens, ms)
  w.k, w.d, w.dirty = w.k + tokens, w.d - tokens, true
  w.lk = math.max(ms, w.lk)
end

local function payNow(w)
  local paid = payable(w)
  if paid > 0 then
    append(w, w.now, 0, paid)
    pay(w, paid, w.lt)
  end
end

local function passWholeWindows(w)
  if w.k ~= w.tpm then return end
  local passed = math.min(math.floor(w.d / w.tpm), math.floor((w.now - w.lt) / WINDOW))
  if passed < 1 then return end
  for at = w.h, w.t - 1 do
    local old = moment(w, at)
    dropFirst(w)
    if old.k > 0 then
      put(w, old.ms + passed * WINDOW, 0, old.k)
      w.lk = old.ms + passed * WINDOW
    end
  end
  w.r = 0
  w.d = w.d - passed * w.tpm
end

local function advance(w)
  if not w.tpm then w.d = 0 elseif w.d >= w.tpm then passWholeWindows(w) end
  while w.h < w.t do
    local first = moment(w, w.h)
    local leaves = first.ms + WINDOW
    if leaves > w.now then break end
    w.r, w.k = w.r - first.r, w.k - first.k
    dropFirst(w)
    local paid = payable(w)
    if paid > 0 then
      put(w, leaves, 0, paid)
      pay(w, paid, leaves)
    end
  end
  payNow(w)
end

local function hasRoom(w, tokens)
  if w.rpm and w.r + 1 > w.rpm then return false end
  return not w.tpm or (w.d == 0 and w.k + tokens <= w.tpm)
end

local function take(w, tokens)
  if not w.tpm then tokens = 0 end
  local at = append(w, w.now, 1, tokens)
  w.r, w.k, w.lr = w.r + 1, w.k + tokens, w.lt
  if tokens > 0 then w.lk = w.lt end
  return at
end

local function giveBack(w, at, requests, tokens)
  if at < w.h or at >= w.t then return end
  local counted = math.min(tokens, moment(w, at).k)
  change(w, at, -requests, -counted)
  w.r, w.k, w.cp = w.r - requests, w.k - counted, 0
  payNow(w)
end

local function owe(w, tokens)
  if not w.tpm then return end
  w.d, w.cp, w.dirty = w.d + tokens, 0, true
  payNow(w)
end

local function msUntilRequest(w)
  if not w.rpm then return 0 end
  local requests, wait, at = w.r, 0, w.h
  while requests + 1 > w.rpm and at < w.t do
    requests = requests - moment(w, at).r
    wait = moment(w, at).ms + WINDOW - w.now
    at = at + 1
  end
  return wait
end

-- Time until there is room for the given tokens. For an owner in debt, also stores when the last token expires.
local function msUntilTokens(w, wanted)
  if not w.tpm or (w.d == 0 and w.k + wanted <= w.tpm) then return 0 end
  if w.d > 0 and w.cp == w.tpm and w.cw == wanted then return w.cr - w.now end
  local room, settled = nil, w.d == 0 and 0 or nil
  local tokens, debt, passed, index, paidList = w.k, w.d, 0, 0, {}
  while not (room and settled) do
    if tokens == w.tpm and debt > w.tpm then
      local whole = math.floor((debt - 1) / w.tpm)
      passed = passed + whole * WINDOW
      debt = debt - whole * w.tpm
    end
    local at = w.h + index
    local next = at < w.t and moment(w, at) or paidList[at - w.t + 1]
    if not next then break end
    local leaves = next.ms + WINDOW
    tokens = tokens - next.k
    local paid = math.min(debt, w.tpm - tokens)
    if paid > 0 then
      paidList[#paidList + 1] = { ms = leaves, k = paid }
      tokens, debt = tokens + paid, debt - paid
    end
    if debt == 0 then
      room = room or tokens + wanted <= w.tpm and leaves + passed - w.now or nil
      settled = settled or paidList[#paidList].ms + passed + WINDOW - w.now
    end
    index = index + 1
  end
  if w.d > 0 then
    w.cp, w.cw, w.cr, w.cs = w.tpm, wanted, (room or 0) + w.now, (settled or 0) + w.now
    w.dirty = true
  end
  return room or 0
end

-- Time until the last token expires, including the debt.
local function msUntilSettled(w)
  if w.k == 0 or not w.tpm then return 0 end
  if w.d == 0 then return w.lk + WINDOW - w.now end
  if w.cp ~= w.tpm then msUntilTokens(w, w.tpm) end
  return w.cs - w.now
end

local function inPages(name, key, arguments)
  for from = 1, #arguments, 2000 do
    redis.call(name, key, unpack(arguments, from, math.min(from + 1999, #arguments)))
  end
end

local function save(w)
  if not w or not w.dirty then return end
  local fields, gone, values = {}, {}, {}
  for at, found in pairs(w.changed) do
    fields[#fields + 1] = whole(at)
    fields[#fields + 1] = cmsgpack.pack(found.ms, found.r, found.k)
  end
  for i = 1, #META do values[i] = w[META[i]] end
  fields[#fields + 1] = 'm'
  fields[#fields + 1] = cmsgpack.pack(values)
  for i, at in ipairs(w.gone) do gone[i] = whole(at) end
  inPages('HDEL', w.key, gone)
  inPages('HSET', w.key, fields)
  local debtWindows = w.d > 0 and math.ceil(w.d / w.tpm) + 1 or 0
  redis.call('PEXPIRE', w.key, whole(math.max(w.lt + WINDOW - w.now, 0) + debtWindows * WINDOW + 1000))
end

local key, account = open(KEYS[1], ARGV[3], ARGV[4]), open(KEYS[2], ARGV[5], ARGV[6])
local owners = { key or false, account or false }
for _, w in ipairs(owners) do
  if w then advance(w) end
end

local code, owner, limit, wait, keyAt, accountAt = 1, 0, 0, 0, 0, 0
local tokens = ARGV[1] == 'take' and tonumber(ARGV[7]) or 0

-- Finds the window with the longest wait.
local function refuse()
  if key and key.tpm and tokens > key.tpm then return 2, 1, 2, 0 end
  if account and account.tpm and tokens > account.tpm then return 2, 2, 2, 0 end
  local byOwner, byLimit, longest = 1, 1, 0
  for i, w in ipairs(owners) do
    if w then
      for j, ms in ipairs({ msUntilRequest(w), msUntilTokens(w, tokens) }) do
        if ms > longest then byOwner, byLimit, longest = i, j, ms end
      end
    end
  end
  return 0, byOwner, byLimit, math.max(longest, 1)
end

if ARGV[1] == 'take' then
  if (key and not hasRoom(key, tokens)) or (account and not hasRoom(account, tokens)) then
    code, owner, limit, wait = refuse()
  else
    if key then keyAt = take(key, tokens) end
    if account then accountAt = take(account, tokens) end
  end
elseif ARGV[1] == 'settle' then
  local requests, back, owed = tonumber(ARGV[9]), tonumber(ARGV[10]), tonumber(ARGV[11])
  for i, w in ipairs(owners) do
    if w and owed > 0 then
      owe(w, owed)
    elseif w then
      giveBack(w, tonumber(ARGV[6 + i]), requests, back)
    end
  end
end

local reply = { code, owner, limit, wait, keyAt, accountAt }
for _, w in ipairs(owners) do
  local asked = w and ARGV[1] ~= 'settle'
  reply[#reply + 1] = asked and w.rpm and math.max(0, w.rpm - w.r) or -1
  reply[#reply + 1] = asked and w.r > 0 and w.lr + WINDOW - w.now or 0
  reply[#reply + 1] = asked and w.tpm and math.max(0, w.tpm - w.k) or -1
  reply[#reply + 1] = asked and msUntilSettled(w) or 0
end
for _, w in ipairs(owners) do save(w) end
return reply
