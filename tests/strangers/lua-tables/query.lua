-- The query options of the Lua service: $filter, $search and $orderby, each turned into a closure.
local B = ...
local null, isobj, FAULT, ch, moment, lower, fail, TYPES, SUB, SEARCH = B.null, B.isobj, B.FAULT, B.ch, B.moment, B.lower, B.fail, B.TYPES, B.SUB, B.SEARCH

-- ---------------------------------------------------------------- $filter: text -> closure
local function compile(text, typ, coll)
  local pos, flags = 1, {}
  local vars = {}
  local function bad(why) fail(ch 'badQuery', 'Invalid filter clause: ' .. why .. ' at position ' .. pos .. '.') end
  local function skip() pos = text:find('%S', pos) or #text + 1 end
  local function word(w)
    skip()
    local a, b = text:find('^' .. w .. '%f[^%w]', pos)
    if a then pos = b + 1; return true end
  end
  local function sym(c) skip(); if text:sub(pos, pos) == c then pos = pos + 1; return true end end
  local expr
  local function key(v, how) return type(v) == 'string' and ch(how, coll) == 'fold' and lower(v) or v end
  local function fetch(item, parts) for _, p in ipairs(parts) do if not isobj(item) then return null end item = item[p]; if item == nil then return null end end return item end
  local function operand()
    skip()
    local c = text:sub(pos, pos)
    if c == '(' then pos = pos + 1; local e = expr(); if not sym ')' then bad "')' expected" end return e end
    if c == "'" then
      local out, i = {}, pos + 1
      while true do
        local j = text:find("'", i, true) or bad 'unterminated string'
        out[#out + 1] = text:sub(i, j - 1)
        if text:sub(j + 1, j + 1) ~= "'" then pos = j + 1; break end
        out[#out + 1] = "'"; i = j + 2
      end
      local v = table.concat(out)
      return { kind = 'string', lit = true, f = function() return v end }
    end
    local t = text:match('^%d%d%d%d%-%d%d%-%d%d[T%d:%.]*[%wZ:+-]*', pos)
    if t then
      local ms = moment(t) or bad 'not a timestamp'
      pos = pos + #t
      return { kind = 'time', lit = true, f = function() return ms end }
    end
    local n = text:match('^-?%d+%.?%d*', pos)
    if n then pos = pos + #n; local v = tonumber(n); return { kind = 'number', lit = true, f = function() return v end } end
    local name = text:match('^[%a_][%w_/@.]*', pos) or bad 'operand expected'
    local start = pos
    pos = pos + #name
    if name == 'true' or name == 'false' then local v = name == 'true'; return { kind = 'bool', lit = true, f = function() return v end } end
    if name == 'null' then return { kind = 'null', lit = true, f = function() return null end } end
    if sym '(' then
      local fn = name:lower()
      local over, any = name:match('^(.*)/(any)$')
      if any then
        local parts = {}
        for p in over:gmatch('[^/]+') do parts[#parts + 1] = p end
        if not (TYPES[typ][parts[1]] == 'list') then bad('no collection ' .. over) end
        skip()
        local v = text:match('^(%a%w*)%s*:', pos) or bad 'range variable expected'
        pos = text:find(':', pos, true) + 1
        vars[v] = true
        local inner = expr()
        vars[v] = nil
        if not sym ')' then bad "')' expected" end
        flags.lambda = true
        return { kind = 'bool', f = function(item, env)
          local all = true
          for _, x in ipairs(fetch(item, parts)) do
            local hit = inner.f(item, { [v] = x }) == true
            if hit and FAULT ~= 'any-needs-all' then return true end
            all = all and hit
          end
          return FAULT == 'any-needs-all' and all and #fetch(item, parts) > 0
        end }
      end
      local args = {}
      repeat args[#args + 1] = operand() until not sym ','
      if not sym ')' then bad "')' expected" end
      if fn == 'tolower' and #args == 1 then
        return { kind = 'string', f = function(i, e) local v = args[1].f(i, e); return type(v) == 'string' and lower(v) or null end }
      end
      if #args ~= 2 or not (fn == 'startswith' or fn == 'endswith' or fn == 'contains') then bad('unknown function ' .. name) end
      if args[1].kind ~= 'string' or args[2].kind ~= 'string' then bad 'text expected' end
      if fn == 'contains' and (FAULT ~= 'contains-hidden' or start == 1) then flags.contains = true end
      return { kind = 'bool', f = function(i, e)
        local a, b = key(args[1].f(i, e), 'collateFn'), key(args[2].f(i, e), 'collateFn')
        if a == null or b == null then return ch 'nullLogic' == 'three' and null or false end
        if fn == 'contains' then return a:find(b, 1, true) ~= nil end
        if fn == 'endswith' then return b == '' or a:sub(-#b) == b end
        if FAULT == 'startswith-pattern' then local ok, r = pcall(string.find, a, '^' .. b); return ok and r ~= nil end
        return a:sub(1, #b) == b
      end }
    end
    local parts = {}
    for p in name:gmatch('[^/]+') do parts[#parts + 1] = p end
    if vars[parts[1]] then
      local v = table.remove(parts, 1)
      local kind = SUB[table.concat(parts, '/')]
      if not kind and #parts > 0 then bad('no property ' .. name) end
      return { kind = kind or 'string', f = function(_, env) return fetch(env[v], parts) end }
    end
    local kind = #parts == 1 and TYPES[typ][parts[1]] or TYPES[typ][parts[1]] and SUB[name]
    if not kind then bad("could not find a property named '" .. name .. "'") end
    if kind == 'time' then return { kind = kind, f = function(i) local v = fetch(i, parts); return v ~= null and moment(v) or null end } end
    return { kind = kind, f = function(i) return fetch(i, parts) end }
  end
  local OPS = { eq = 1, ne = 1, gt = 1, ge = 1, lt = 1, le = 1 }
  local function comparison()
    local a = operand()
    skip()
    local op = text:match('^(%l%l)%f[^%w]', pos)
    if not OPS[op] then if a.kind ~= 'bool' then bad 'a boolean is expected' end return a end
    pos = pos + 2
    local b = operand()
    if a.kind ~= b.kind and a.kind ~= 'null' and b.kind ~= 'null' then
      if ch 'typeMismatch' == 'reject' then bad('incompatible types ' .. a.kind .. ' and ' .. b.kind) end
      return { kind = 'bool', f = function() return op == 'ne' end }
    end
    if a.kind == 'list' or a.kind == 'object' then bad 'a single value is expected' end
    local how = (op == 'eq' or op == 'ne') and 'collateEq' or 'collateRel'
    return { kind = 'bool', f = function(i, e)
      local x, y = key(a.f(i, e), how), key(b.f(i, e), how)
      if FAULT == 'false-is-nothing' and y == false then return false end
      if op == 'eq' then return x == y end
      if op == 'ne' then return x ~= y end
      if x == null or y == null then return ch 'nullLogic' == 'three' and null or false end
      if type(x) == 'boolean' then x = x and 1 or 0 end
      if type(y) == 'boolean' then y = y and 1 or 0 end
      if type(x) ~= type(y) then return false end
      if op == 'gt' then return x > y end
      if op == 'ge' then if FAULT == 'ge-strict-times' and a.kind == 'time' then return x > y end return x >= y end
      if op == 'lt' then return x < y end
      return x <= y
    end }
  end
  local function unary()
    if word 'not' then
      local e = unary()
      return { kind = 'bool', f = function(i, v) local r = e.f(i, v); if r == null then return null end return not r end }
    end
    return comparison()
  end
  local function both(a, b) return { kind = 'bool', f = function(i, v)
    local x, y = a.f(i, v), b.f(i, v)
    if x == false or y == false then return false end
    if x == null or y == null then return null end
    return true
  end } end
  local function either(a, b) return { kind = 'bool', f = function(i, v)
    local x, y = a.f(i, v), b.f(i, v)
    if x == true or y == true then return true end
    if x == null or y == null then return null end
    return false
  end } end
  local function conj()
    local a = unary()
    while word 'and' do a = both(a, unary()) end
    return a
  end
  function expr()
    if FAULT == 'and-or-flat' then
      local a = unary()
      while true do
        if word 'and' then a = both(a, unary()) elseif word 'or' then a = either(a, unary()) else return a end
      end
    end
    local a = conj()
    while word 'or' do a = either(a, conj()) end
    return a
  end
  local e = expr()
  skip()
  if pos <= #text then bad 'unexpected text' end
  if e.kind ~= 'bool' then bad 'a boolean is expected' end
  return e.f, flags
end

-- ---------------------------------------------------------------- $search, $orderby, $expand, $select
local function searcher(text, coll)
  local terms = {}
  for part in (text .. ' OR '):gmatch('(.-)%s+OR%s+') do
    local prop, term = part:match('^%s*"(%w+):(.*)"%s*$')
    if not prop then fail(ch 'badQuery', 'Syntax error in $search: a term has the form "property:term".') end
    if not SEARCH[coll][prop] then fail(ch 'badQuery', "Property '" .. prop .. "' cannot be searched.") end
    terms[#terms + 1] = { prop, lower(term) }
    if FAULT == 'search-first-term' then break end
  end
  local function flat(v) if type(v) == 'string' then return v end
    if not isobj(v) then return '' end
    return v.content and v.content:gsub('<[^>]*>', ' ') or v.emailAddress and v.emailAddress.name .. ' ' .. v.emailAddress.address or '' end
  return function(item)
    for _, t in ipairs(terms) do
      local hay = ' ' .. lower(flat(item[t[1]])):gsub('%s+', ' ') .. ' '
      if t[2] ~= '' then
        if ch 'searchMatch' == 'substring' then if hay:find(t[2], 1, true) then return true end
        else
          local at = 1
          while true do
            local a, b = hay:find(t[2], at, true)
            if not a then break end
            local head = not hay:sub(a - 1, a - 1):match('[%w\x80-\xff]')
            local tail = ch 'searchMatch' == 'prefix' or not hay:sub(b + 1, b + 1):match('[%w\x80-\xff]')
            if head and tail then return true end
            at = a + 1
          end
        end
      end
    end
    return false
  end
end
local function sorter(text, typ, coll)
  local keys = {}
  for part in text:gmatch('[^,]+') do
    local path, dir = part:match('^%s*([%w_/]+)%s*(%a*)%s*$')
    if not path or (dir ~= '' and dir ~= 'asc' and dir ~= 'desc') then fail(ch 'badQuery', 'Syntax error in $orderby.') end
    local head = path:match('^[^/]+')
    local kind = TYPES[typ][path] or TYPES[typ][head] and SUB[path]
    if kind and kind ~= 'list' and kind ~= 'object' then keys[#keys + 1] = { path = path, desc = dir == 'desc', kind = kind }
    elseif ch('sortUnknown', coll) == 'reject' or kind then fail(ch 'badQuery', "Cannot sort by '" .. path .. "'.") end
  end
  if FAULT == 'last-direction-wins' then for _, k in ipairs(keys) do k.desc = keys[#keys].desc end end
  local low = ch('nulls', coll) == 'low'
  local function get(item, k)
    local v = item
    for p in k.path:gmatch('[^/]+') do v = isobj(v) and v[p] or (isobj(v) and v[p] == false and false) end
    if v == nil or v == null or (v == false and k.kind ~= 'bool') then return nil end
    if k.kind == 'bool' then return v and 1 or 0 end
    if k.kind == 'time' then return moment(v) end
    return k.kind == 'string' and ch('collateSort', coll) == 'fold' and lower(v) or v
  end
  return function(rows)
    local out = {}
    for i, r in ipairs(rows) do
      local e = { row = r, at = i }
      for j, k in ipairs(keys) do e[j] = get(r, k) end
      out[i] = e
    end
    table.sort(out, function(a, b)
      for j, k in ipairs(keys) do
        local x, y = a[j], b[j]
        if x ~= y then
          local less
          if x == nil then less = low elseif y == nil then less = not low else less = x < y end
          if k.desc then return not less end
          return less
        end
      end
      return a.at < b.at
    end)
    for i, e in ipairs(out) do out[i] = e.row end
    return out
  end
end
return compile, searcher, sorter
