#!/usr/bin/env lua5.4
-- A directory and mailbox service in Lua: closures for filters, one select() loop, all data in memory.
local socket = require 'socket'
local here = arg[0]:match('^(.*/)') or './'
local B = dofile(here .. 'base.lua')
local compile, searcher, sorter = assert(loadfile(here .. 'query.lua'))(B)
local null, list, islist, isobj, encode, decode, copy, opt, CH = B.null, B.list, B.islist, B.isobj, B.encode, B.decode, B.copy, B.opt, B.CH
local FAULT, FAULTS, ch, EACH, moment, stamp, lower, CODE, fail = B.FAULT, B.FAULTS, B.ch, B.EACH, B.moment, B.stamp, B.lower, B.CODE, B.fail
local TYPES, SUB, RELATIONS, SEARCH, rnd, newid, KEYFORM, users, messages = B.TYPES, B.SUB, B.RELATIONS, B.SEARCH, B.rnd, B.newid, B.KEYFORM, B.users, B.messages
local groups, items, reminders, memberOf, put, me, ghosts, find = B.groups, B.items, B.reminders, B.memberOf, B.put, B.me, B.ghosts, B.find

-- ---------------------------------------------------------------- $expand and $select
local function splitTop(text) -- at commas outside parentheses
  local out, depth, cur = {}, 0, {}
  for c in text:gmatch '.' do
    if c == '(' then depth = depth + 1 elseif c == ')' then depth = depth - 1 end
    if c == ',' and depth == 0 then out[#out + 1] = table.concat(cur); cur = {} else cur[#cur + 1] = c end
  end
  out[#out + 1] = table.concat(cur)
  return out
end
local function selection(text, typ, coll)
  local set = {}
  for p in text:gmatch('[^,]+') do
    p = p:match('^%s*(.-)%s*$')
    if TYPES[typ] and not TYPES[typ][p] and not RELATIONS[typ][p] and p ~= '*' and not (typ == 'member' and TYPES.group[p]) and ch('selectUnknown', coll) == 'reject' then
      fail(ch 'badQuery', "Could not find a property named '" .. p .. "'.")
    end
    set[p] = true
  end
  return not set['*'] and set or nil
end
local function expansion(text, typ, coll)
  local out = {}
  for _, part in ipairs(splitTop(text)) do
    local rel, opts = part:match('^%s*(%w+)%s*(.-)%s*$')
    if not rel or not RELATIONS[typ] or not RELATIONS[typ][rel] or not ch('expandable', coll) then fail(ch 'unsupported', "Expansion of '" .. (rel or part) .. "' is not supported.") end
    local e = { rel = rel, typ = RELATIONS[typ][rel] }
    if opts ~= '' then
      local sel = opts:match('^%(%s*%$select=([^;]*)%)$') or fail(ch 'unsupported', 'Only $select is supported inside $expand.')
      e.select = selection(sel, e.typ, coll)
    end
    out[#out + 1] = e
  end
  return out
end
local shownManager
local function project(item, typ, coll, q, req)
  local out = {}
  local real = item.surname and 'user' or item.mailNickname and 'group' or typ
  local fields = typ == 'member' and TYPES[real] or TYPES[typ]
  for k in pairs(fields or item) do
    if item[k] ~= nil and k:sub(1, 1) ~= '_' then
      if not q.select or q.select[k] then out[k] = copy(item[k]) elseif fields and ch('unselected', coll) == 'null' and typ ~= 'member' then out[k] = null end
    end
  end
  if typ == 'member' then
    if ch 'memberType' then out['@odata.type'] = '#service.' .. real end
    if ch 'memberFields' == 'short' and not q.select then out = { id = item.id, displayName = item.displayName, ['@odata.type'] = out['@odata.type'] } end
  end
  if typ == 'message' and isobj(out.body) then
    local prefer = ch 'prefer' and (req.headers.prefer or ''):match('body%-content%-type="?(%w+)')
    local want = prefer or (ch 'bodyRender' == 'html' and 'html')
    if want == 'text' and out.body.contentType == 'html' then
      out.body = { contentType = 'text', content = (out.body.content:gsub('</p>', '\n'):gsub('<[^>]*>', ''):gsub('%s+$', '')) }
    elseif want == 'html' and out.body.contentType == 'text' then
      out.body = { contentType = 'html', content = '<html><body>' .. out.body.content:gsub('&', '&amp;'):gsub('<', '&lt;') .. '</body></html>' }
    end
    if prefer and ch 'preferApplied' then req.out['Preference-Applied'] = 'body-content-type="' .. prefer .. '"' end
  end
  if fields and item._v and typ ~= 'member' and (ch('etag', coll) == 'both' or ch('etag', coll) == 'body') then
    out['@odata.etag'] = (ch('weakTag', coll) and 'W/' or '') .. '"' .. item.id:sub(1, 8) .. '.' .. item._v .. '"'
  end
  if FAULT == 'select-kills-expand' and q.select then return out end
  for _, e in ipairs(q.expand or {}) do
    local sub = { select = e.select }
    if e.rel == 'manager' then
      local boss = item._manager and find(users, item._manager)
      if FAULT == 'one-manager-for-all' and q.inList and boss then boss = q.boss or boss; q.boss = boss end
      if boss then out.manager = project(boss, 'user', 'users', sub, req) elseif ch 'noManager' == 'null' then out.manager = null end
    else
      local rows = list()
      for _, x in ipairs(e.rel == 'children' and items or item['_' .. e.rel]) do
        if e.rel ~= 'children' or x._parent == item.id then rows[#rows + 1] = project(x, e.typ, 'children', sub, req) end
      end
      out[e.rel] = rows
    end
    if FAULT == 'nested-select-outside' and e.select then for k in pairs(out) do if k ~= e.rel and not e.select[k] then out[k] = nil end end end
  end
  return out
end

-- ---------------------------------------------------------------- requests on collections and items
local KNOWN = { ['$select'] = 1, ['$filter'] = 1, ['$orderby'] = 1, ['$expand'] = 1, ['$top'] = 1, ['$skip'] = 1, ['$count'] = 1, ['$search'] = 1, ['$skiptoken'] = 1, ['$deltatoken'] = 1 }
local function check(req)
  for k, v in pairs(req.query) do
    if k:sub(1, 1) == '$' and not KNOWN[k] and ch 'unknownOption' == 'reject' then fail(ch 'badQuery', "The query option '" .. k .. "' is not known.") end
    if k:sub(1, 1) == '$' and KNOWN[k] and v == '' then fail(ch 'badQuery', "The query option '" .. k .. "' is empty.") end
  end
end
local function integer(text, name)
  if not text then return nil end
  if not text:match('^%d+$') then fail(ch 'badQuery', 'Invalid value for ' .. name .. ': a non-negative integer is expected.') end
  return math.tointeger(tonumber(text)) or fail(ch 'badQuery', name .. ' is too large.')
end
local function needAdvanced(req, used)
  if used and (req.headers.consistencylevel or ''):lower() ~= 'eventual' then
    fail(ch 'advanced', 'Request uses advanced query capabilities that are not available without the header ConsistencyLevel: eventual.', 'Request_UnsupportedQuery')
  end
end
local function unsupported(name) fail(ch 'unsupported', name .. ' is not supported by this endpoint.', 'NotSupported') end
local function filtered(req, rows, typ, coll)
  local q = req.query
  if q['$filter'] then
    if not ch('filterable', coll) then unsupported '$filter' end
    local f, flags = compile(q['$filter'], typ, coll)
    needAdvanced(req, flags.contains or flags.lambda)
    local out = {}
    for _, r in ipairs(rows) do if f(r) == true then out[#out + 1] = r end end
    rows = out
  end
  if q['$search'] then
    if not ch('searchable', coll) then unsupported '$search' end
    needAdvanced(req, true)
    if q['$orderby'] and ch 'searchSort' == 'reject' then unsupported '$orderby together with $search' end
    local f, out = searcher(q['$search'], coll), {}
    for _, r in ipairs(rows) do if f(r) then out[#out + 1] = r end end
    rows = out
  end
  return rows
end
local function pct(s) return (s:gsub('[^%w%-_.~$]', function(c) return string.format('%%%02X', c:byte()) end)) end
local tokens = {}
local changes = 0 -- number of PATCH requests; delta tokens count them
local function collection(req, rows, typ, coll)
  local q = req.query
  if ch('nextForm', coll) == 'opaque' and q['$skiptoken'] then
    local t = tokens[q['$skiptoken']] or fail(ch 'badQuery', 'The skip token is not valid.')
    q = t.q; req.query = q; q['$skiptoken'] = t.at
  end
  check(req)
  local ordered = {}
  for i, r in ipairs(rows) do ordered[i] = r end
  if ch('natural', coll) == 'id' then table.sort(ordered, function(a, b) return a.id < b.id end)
  elseif ch('natural', coll) == 'reverse' then for i = 1, #rows do ordered[i] = rows[#rows + 1 - i] end end
  rows = ordered
  if q['$count'] and q['$count'] ~= 'true' and q['$count'] ~= 'false' then fail(ch 'badQuery', '$count is true or false.') end
  local top, offset = integer(q['$top'], '$top'), integer(q['$skip'], '$skip')
  if offset and not ch('skippable', coll) and not req.follow then unsupported '$skip' end
  if top == 0 and ch('topZero', coll) == 'reject' then fail(ch 'badQuery', '$top must be positive.') end
  if top and top > ch('maxTop', coll) then
    if ch('topOver', coll) == 'reject' then fail(ch 'badQuery', '$top is limited to ' .. ch('maxTop', coll) .. '.') end
    if ch('topMeans', coll) == 'page' then top = ch('maxTop', coll) end
  end
  local view = { inList = true, select = q['$select'] and selection(q['$select'], typ, coll), expand = q['$expand'] and expansion(q['$expand'], typ, coll) }
  local wantCount = q['$count'] == 'true'
  if wantCount then
    if not ch('countable', coll) then unsupported '$count' end
    local need = ch('countNeeds', coll)
    needAdvanced(req, need == 'always' or need == 'filtered' and q['$filter'])
  end
  local token = q['$skiptoken'] and { q['$skiptoken']:match('^(%d+)[._](%d+)[._](%d+)$') } or nil
  if token and not token[1] then fail(ch 'badQuery', 'The skip token is not valid.') end
  rows = filtered(req, rows, typ, coll)
  local total = #rows
  local sort = q['$orderby'] and (ch('sortable', coll) and sorter(q['$orderby'], typ, coll) or unsupported '$orderby')
  if sort and FAULT ~= 'sort-after-cut' then rows = sort(rows) end
  local from, left, number = offset or 0, top and ch('topMeans', coll) == 'limit' and top or nil, 1
  if token then
    from, number = tonumber(token[1]), tonumber(token[3])
    if left then left = tonumber(token[2]) end
  end
  local size = ch('page', coll)
  if top and ch('topMeans', coll) == 'page' then size = top end
  if left and top and ch('topMeans', coll) == 'limit' and top <= ch('maxTop', coll) and not token then size = math.max(size, top) end
  local take = math.min(size, left or size)
  if FAULT == 'skip-inside-top' and top and offset and not token then take = math.max(0, take - offset) end
  local first = from
  if FAULT == 'third-page-loses-one' and number >= 3 then first = first + 1 end
  local page = {}
  for i = first + 1, math.min(from + take, #rows) do page[#page + 1] = rows[i] end
  if sort and FAULT == 'sort-after-cut' then page = sort(page) end
  local value = list()
  for i, r in ipairs(page) do value[i] = project(r, typ, coll, view, req) end
  local body = { value = value }
  if ch 'context' then body['@odata.context'] = req.base .. '/$metadata#' .. coll end
  if wantCount and (not token or ch('countPages', coll) == 'all') then body['@odata.count'] = FAULT == 'count-of-page' and #page or total end
  local after = from + take
  if take > 0 and after < #rows and (not left or left - take > 0) then
    local form, keep = ch('nextForm', coll), {}
    for k, v in pairs(q) do keep[k] = v end
    if FAULT == 'next-drops-filter' then keep['$filter'] = nil end
    local mark = after .. '.' .. (left and left - take or 0) .. '.' .. number + 1
    if form == 'skip' and ch('skippable', coll) then
      keep['$skip'] = tostring(after); keep['$skiptoken'] = nil
      if left then keep['$top'] = tostring(left - take) end
      if FAULT == 'third-page-loses-one' then keep['$skiptoken'] = mark; keep['$skip'] = nil end
    elseif form == 'opaque' then
      local id = string.format('x%07x', rnd(0xfffffff))
      tokens[id] = { q = keep, at = mark }
      keep = { ['$skiptoken'] = id }
    else keep['$skiptoken'] = mark end
    local parts = {}
    for k, v in pairs(keep) do parts[#parts + 1] = pct(k) .. '=' .. pct(v) end
    table.sort(parts)
    body['@odata.nextLink'] = req.origin .. req.path .. '?' .. table.concat(parts, '&')
  end
  return 200, body
end
local function tag(item, coll) return (ch('weakTag', coll) and 'W/' or '') .. '"' .. item.id:sub(1, 8) .. '.' .. item._v .. '"' end
local function matches(header, t)
  if header:match('^%s*%*%s*$') then return true end
  for part in header:gmatch('[^,]+') do if part:gsub('^%s*W/', ''):match('^%s*(.-)%s*$') == t:gsub('^W/', '') then return true end end
  return false
end
local function single(req, item, typ, coll, status)
  check(req)
  local q = req.query
  if req.method == 'GET' then for _, k in ipairs { '$filter', '$orderby', '$top', '$skip', '$search', '$count' } do if q[k] then unsupported(k) end end end
  local tagged = ch('etag', coll) ~= 'none' and item._v
  if tagged then
    if ch('etag', coll) ~= 'body' then req.out.ETag = tag(item, coll) end
    if req.method == 'GET' and req.headers['if-none-match'] and matches(req.headers['if-none-match'], tag(item, coll)) then return 304 end
  end
  local view = { select = q['$select'] and selection(q['$select'], typ, coll), expand = q['$expand'] and expansion(q['$expand'], typ, coll) }
  local body = project(item, typ, coll, view, req)
  if ch 'context' and typ ~= 'calendar' then body['@odata.context'] = req.base .. '/$metadata#' .. coll .. '/$entity' end
  return status or 200, body
end
local function precondition(req, item, coll)
  local h = req.headers['if-match']
  if h and ch('etag', coll) ~= 'none' and not matches(h, tag(item, coll)) then
    if FAULT == 'if-match-unread' and req.method == 'PATCH' then return end
    fail(412, 'The entity tag does not match the current state of the item.')
  end
end
local function bodyOf(req)
  local ok, v = pcall(decode, req.body)
  if not ok then fail(400, 'The request body is not valid JSON.') end
  if not isobj(v) then fail(ch 'badBody', 'The request body must be an object.') end
  return v
end
local NULLABLE = { mail = true, jobTitle = true, department = true, officeLocation = true, from = true, subject = true }
local function recipient(r) return isobj(r) and isobj(r.emailAddress) and type(r.emailAddress.address) == 'string' end
local function clean(body, typ)
  local out = {}
  local function wrong(k) fail(ch 'badBody', "The value of '" .. k .. "' is not valid.") end
  for k, v in pairs(body) do
    local kind = TYPES[typ][k]
    if k == 'id' then if ch 'idInBody' == 'reject' then fail(ch 'badBody', "'id' cannot be set.") end
    elseif k:find('@', 1, true) then -- annotations are not stored
    elseif not kind then if ch 'unknownBody' == 'reject' then fail(ch 'badBody', "Property '" .. k .. "' is not known.") end
    elseif v == null then
      if not NULLABLE[k] or ch 'nullPatch' == 'reject' then wrong(k) end
      out[k] = null
    elseif kind == 'string' and type(v) ~= 'string' or kind == 'bool' and type(v) ~= 'boolean' or kind == 'list' and not islist(v) or kind == 'object' and not isobj(v) then wrong(k)
    elseif kind == 'time' then
      local ms = type(v) == 'string' and moment(v) or wrong(k)
      if ch 'received' == 'client' then out[k] = stamp(ms) end
    elseif k == 'toRecipients' then
      for _, r in ipairs(v) do if not recipient(r) then wrong(k) end end
      out[k] = v
    elseif k == 'from' then
      if not recipient(v) then wrong(k) end
      out[k] = v
    elseif k == 'body' then
      local t = v.contentType or 'text'
      if type(v.content or '') ~= 'string' or type(t) ~= 'string' or not (t:lower() == 'text' or t:lower() == 'html') then wrong(k) end
      out[k] = { contentType = t:lower(), content = v.content or '' }
    elseif k == 'importance' then
      if v ~= 'low' and v ~= 'normal' and v ~= 'high' then wrong(k) end
      out[k] = v
    elseif k == 'assignedLicenses' then
      for _, l in ipairs(v) do if not isobj(l) or type(l.skuId) ~= 'string' then wrong(k) end end
      out[k] = v
    else out[k] = v end
  end
  return out
end
local function patch(req, item, typ, coll)
  precondition(req, item, coll)
  local raw = bodyOf(req)
  if next(raw) == nil and ch 'emptyPatch' == 400 then fail(400, 'The body names no field to change.') end
  local change = clean(raw, typ)
  if FAULT == 'patch-resets-flags' and typ == 'message' then
    if change.isRead == nil then item.isRead = false end
    if change.importance == nil then item.importance = 'normal' end
  end
  for k, v in pairs(change) do item[k] = v end
  item._v = item._v + 1
  changes = changes + 1
  item._changed = changes
  return single(req, item, typ, coll)
end
local function groupsOf(member, deep)
  local out, seen, queue = {}, {}, { member }
  while #queue > 0 do
    local x = table.remove(queue, 1)
    for _, g in ipairs(groups) do
      if not seen[g.id] then for _, m in ipairs(memberOf[g.id] or {}) do if m.id == x.id then
        seen[g.id] = true; out[#out + 1] = g
        if deep then queue[#queue + 1] = g end
        break
      end end end
    end
  end
  return out, seen
end
local function idList(req, ids)
  if ch 'idsShape' == 'list' then return 200, list(ids) end
  return 200, { value = list(ids), ['@odata.context'] = ch 'context' and req.base .. '/$metadata#Collection(Edm.String)' or nil }
end
local function reminderView(req, a, b)
  local s, e = a and moment(a), b and moment(b)
  if not s or not e then fail(ch 'badQuery', 'startDateTime and endDateTime are required timestamps.') end
  local out = list()
  for _, r in ipairs(reminders) do
    if r._at >= s and (r._at < e or FAULT == 'reminder-end-open') then local x = copy(r); x._at = nil; out[#out + 1] = x end
  end
  return 200, ch 'reminderShape' == 'list' and out or { value = out }
end

-- ---------------------------------------------------------------- routing
local function need(store, id, coll)
  local x, i = find(store, id)
  if x then return x, i end
  if ch('badKey', coll) == 400 and not id:match(KEYFORM[ch('key', coll)]) then fail(400, "The identifier '" .. id .. "' is malformed.") end
  fail(404, "The item '" .. id .. "' does not exist.")
end
local function verb(req, t) return (t[req.method] or function() fail(ch 'wrongMethod', 'The method is not allowed here.') end)() end
local function childrenOf(id) local out = {} for _, x in ipairs(items) do if x._parent == id then out[#out + 1] = x end end return out end
local function countOf(req, rows, typ, coll)
  check(req)
  local n = #filtered(req, rows, typ, coll)
  if ch 'countBody' == 'text' then req.out['Content-Type'] = 'text/plain' end
  return 200, n
end
local function drive(req, s, k)
  if s[k] ~= 'items' then fail(ch 'noRoute', 'No such resource.') end
  if not s[k + 1] then return verb(req, { GET = function() return collection(req, items, 'item', 'items') end }) end
  local it = need(items, s[k + 1], 'items')
  if not s[k + 2] then return verb(req, { GET = function() return single(req, it, 'item', 'items') end }) end
  if s[k + 2] == 'children' and not s[k + 3] then return verb(req, { GET = function() return collection(req, childrenOf(it.id), 'item', 'children') end }) end
  fail(ch 'noRoute', 'No such resource.')
end
local function userPart(req, s, k, u)
  local p = s[k]
  if not p then return verb(req, { GET = function() return single(req, u, 'user', 'users') end, PATCH = u == me and function() return patch(req, u, 'user', 'users') end or nil }) end
  if p == 'drive' then return drive(req, s, k + 1) end
  if p == 'manager' and not s[k + 1] then
    return verb(req, { GET = function()
      local boss = u._manager and find(users, u._manager) or fail(404, 'The user has no manager.')
      local st, b = single(req, boss, 'user', 'users')
      if FAULT == 'manager-as-list' and st == 200 then b = { value = list { b } } end
      return st, b
    end })
  end
  if u ~= me and p ~= 'calendar' then fail(ch 'noRoute', 'No such resource.') end
  if p == 'calendar' and not s[k + 1] then
    return verb(req, { GET = function() return single(req, { id = 'cal-' .. u.id:sub(1, 8), name = 'Calendar', color = 'auto', canEdit = true, owner = { name = u.displayName, address = u.mail } }, 'calendar', 'users') end })
  end
  if p == 'messages' and s[k + 1] == '$count' then return countOf(req, messages, 'message', 'messages') end
  if p == 'messages' and not s[k + 1] then
    return verb(req, { GET = function() return collection(req, messages, 'message', 'messages') end, POST = function()
      local m = clean(bodyOf(req), 'message')
      m.id = newid 'messages'
      m.subject = m.subject or (ch 'noSubject' == 'empty' and '' or null)
      m.body = m.body or { contentType = 'text', content = '' }
      m.toRecipients = m.toRecipients or list()
      if FAULT == 'one-recipient' then m.toRecipients = list { m.toRecipients[1] } end
      m.from = m.from or { emailAddress = { address = me.mail, name = me.displayName } }
      m.receivedDateTime = m.receivedDateTime or stamp(os.time() * 1000)
      if m.isRead == nil then m.isRead = false end
      m.importance = m.importance or 'normal'
      m.hasAttachments, m._attachments, m._singleValueExtendedProperties = false, list(), list()
      put(messages, m)
      req.out.Location = req.base .. '/me/messages/' .. m.id
      return single(req, m, 'message', 'messages', ch('createStatus', 'messages'))
    end })
  end
  if p == 'messages' and not s[k + 2] then
    if FAULT == 'ghost-after-delete' and req.method == 'GET' and ghosts[s[k + 1]] then return single(req, ghosts[s[k + 1]], 'message', 'messages') end
    if req.headers['if-match'] and ch 'missingMatch' == 412 and not find(messages, s[k + 1]) and req.method ~= 'GET' then fail(412, 'The item to match does not exist.') end
    local m, i = need(messages, s[k + 1], 'messages')
    return verb(req, { GET = function() return single(req, m, 'message', 'messages') end, PATCH = function() return patch(req, m, 'message', 'messages') end,
      DELETE = function() precondition(req, m, 'messages'); table.remove(messages, i); ghosts[m.id] = m; return ch('deleteStatus', 'messages') end })
  end
  if p == 'getMemberGroups' then
    return verb(req, { POST = function()
      local b = bodyOf(req)
      if type(b.securityEnabledOnly) ~= 'boolean' then fail(ch 'badBody', 'securityEnabledOnly (boolean) is required.') end
      local ids = {}
      for _, g in ipairs(groupsOf(u, ch 'transitiveGroups')) do
        if g.securityEnabled or not b.securityEnabledOnly or FAULT == 'security-flag-ignored' then ids[#ids + 1] = g.id end
      end
      return idList(req, ids)
    end })
  end
  if p == 'checkMemberObjects' then
    return verb(req, { POST = function()
      local b = bodyOf(req)
      if not islist(b.ids) or #b.ids > ch 'maxIds' then fail(ch 'badBody', 'ids (list of at most ' .. ch 'maxIds' .. ' strings) is required.') end
      local _, seen = groupsOf(u, ch 'transitiveCheck')
      local ids, done = {}, {}
      for _, id in ipairs(b.ids) do
        if type(id) ~= 'string' then fail(ch 'badBody', 'ids holds strings.') end
        if seen[id] and not done[id] then ids[#ids + 1] = id; done[id] = true end
      end
      return idList(req, ids)
    end })
  end
  if p:match('^reminderView') and req.method == 'GET' then
    if ch 'reminder' == 'query' and p == 'reminderView' then return reminderView(req, req.query.startDateTime, req.query.endDateTime) end
    if ch 'reminder' == 'function' then
      return reminderView(req, p:match("startDateTime='([^']*)'") or req.query.startDateTime, p:match("endDateTime='([^']*)'") or req.query.endDateTime)
    end
  end
  fail(ch 'noRoute', 'No such resource.')
end
local function route(req)
  local s = req.segments
  if s[1] ~= 'v1.0' then fail(ch 'noRoute', 'No such version.') end
  if s[2] == 'me' then return userPart(req, s, 3, me) end
  if s[2] == 'drive' then return drive(req, s, 3) end
  if s[2] == 'users' then
    if not s[3] then return verb(req, { GET = function() return collection(req, users, 'user', 'users') end }) end
    if s[3] == ch 'delta' and not s[4] then
      return verb(req, { GET = function()
        local token, rows = req.query['$deltatoken'], users
        local since = token and tonumber(token:match('^c(%d+)$'))
        if token and (not since or since > changes) then
          if ch 'staleDelta' == 'reject' then fail(410, 'The sync state is not known; start again.') end
        elseif token then
          rows = {}
          for _, u in ipairs(users) do if (u._changed or 0) > since then rows[#rows + 1] = u end end
        end
        local st, b = collection(req, rows, 'user', 'users')
        if not b['@odata.nextLink'] then b['@odata.deltaLink'] = req.base .. '/users/' .. s[3] .. '?$deltatoken=c' .. changes end
        return st, b
      end })
    end
    if s[3] == '$count' and not s[4] then return verb(req, { GET = function() return countOf(req, users, 'user', 'users') end }) end
    return userPart(req, s, 4, need(users, s[3], 'users'))
  end
  if s[2] == 'groups' then
    if not s[3] then
      return verb(req, { GET = function() return collection(req, groups, 'group', 'groups') end, POST = function()
        local g = clean(bodyOf(req), 'group')
        local n = ch 'groupNeeds'
        for _, k in ipairs(n == 'all' and { 'displayName', 'mailEnabled', 'mailNickname', 'securityEnabled' } or n == 'name' and { 'displayName' } or {}) do
          if g[k] == nil then fail(ch 'badBody', "'" .. k .. "' is required.") end
        end
        g.id = newid 'groups'
        g.displayName, g.mailNickname = g.displayName or '', g.mailNickname or 'group' .. #groups
        g.mailEnabled, g.securityEnabled, g.description = g.mailEnabled or false, g.securityEnabled or false, ''
        memberOf[g.id] = {}
        put(groups, g)
        req.out.Location = req.base .. '/groups/' .. g.id
        return single(req, g, 'group', 'groups', ch('createStatus', 'groups'))
      end })
    end
    if s[3] == '$count' then return countOf(req, groups, 'group', 'groups') end
    local g, i = need(groups, s[3], 'groups')
    if not s[4] then
      return verb(req, { GET = function() return single(req, g, 'group', 'groups') end, DELETE = function()
        precondition(req, g, 'groups')
        table.remove(groups, i)
        memberOf[g.id] = nil
        for _, l in pairs(memberOf) do for k = #l, 1, -1 do if l[k] == g then table.remove(l, k) end end end
        return ch('deleteStatus', 'groups')
      end })
    end
    if s[4] == 'members' and not s[5] then return verb(req, { GET = function() return collection(req, memberOf[g.id], 'member', 'members') end }) end
  end
  fail(ch 'noRoute', 'No such resource.')
end

-- ---------------------------------------------------------------- HTTP
local function unpct(s) return (s:gsub('%%(%x%x)', function(h) return string.char(tonumber(h, 16)) end)) end
local REASON = { [200] = 'OK', [201] = 'Created', [202] = 'Accepted', [204] = 'No Content', [304] = 'Not Modified' }
local function answer(req)
  req.out = { ['Content-Type'] = 'application/json' }
  local ok, status, body = pcall(function()
    local kind, given = (req.headers.authorization or ''):match('^(%a+) +(.-)%s*$')
    local fine = kind and kind:lower() == 'bearer' and (given == opt.token or FAULT == 'token-beginning' and given:sub(1, 6) == opt.token:sub(1, 6))
    if not fine then
      if ch 'challenge' then req.out['WWW-Authenticate'] = 'Bearer realm="service"' end
      fail(401, 'Access token is empty or not valid.')
    end
    return route(req)
  end)
  if not ok then
    local e = type(status) == 'table' and status or { status = 500, message = 'Internal error: ' .. tostring(status) }
    if type(status) ~= 'table' then io.stderr:write(tostring(status), '\n') end
    local code = ch 'codes' == 'http' and 'E' .. e.status or e.code or CODE[e.status] or 'Error'
    status, body = e.status, { error = { code = code, message = e.message, innerError = ch 'innerError' and { date = stamp(os.time() * 1000), ['request-id'] = tostring(rnd(999999)) } or nil } }
    if FAULT == 'error-is-text' and status == 404 and req.path:find('/messages/', 1, true) then body = { error = e.message } end
    req.out['Content-Type'] = 'application/json'
    req.out.ETag = nil
  end
  local text = body ~= nil and encode(body) or ''
  local head = { string.format('HTTP/1.1 %d %s', status, REASON[status] or CODE[status] or 'Status') }
  for k, v in pairs(req.out) do if text ~= '' or k ~= 'Content-Type' then head[#head + 1] = k .. ': ' .. v end end
  if status ~= 204 and status ~= 304 then head[#head + 1] = 'Content-Length: ' .. #text else text = '' end
  return table.concat(head, '\r\n') .. '\r\n\r\n' .. (req.method == 'HEAD' and '' or text)
end
local server = assert(socket.bind('127.0.0.1', tonumber(opt.port)))
local _, port = server:getsockname()
local origin = 'http://127.0.0.1:' .. port
server:settimeout(0)
local socks, buffers = { server }, {}
local function parse(buf)
  local head, stop = buf:match('^(.-\r\n)\r\n()')
  if not head then return nil end
  local method, target = head:match('^(%u+) (%S+)')
  if not method then return nil, buf end
  local headers = {}
  for k, v in head:gmatch('\r\n([^:\r\n]+):[ \t]*([^\r\n]*)') do headers[k:lower()] = v end
  local body
  if (headers['transfer-encoding'] or ''):lower() == 'chunked' then
    local parts = {}
    while true do
      local n, at = buf:match('^(%x+)[^\r\n]*\r\n()', stop)
      if not n then return nil end
      n = tonumber(n, 16)
      if #buf < at + n + 1 then return nil end
      parts[#parts + 1] = buf:sub(at, at + n - 1)
      stop = at + n + 2
      if n == 0 then break end
    end
    body = table.concat(parts)
  else
    local n = tonumber(headers['content-length'] or '0') or 0
    if #buf - stop + 1 < n then return nil end
    body = buf:sub(stop, stop + n - 1)
    stop = stop + n
  end
  local path, qs = target:match('^([^?]*)%??(.*)$')
  local req = { method = method, path = path, headers = headers, body = body, query = {}, segments = {}, base = origin .. '/v1.0', origin = origin }
  for seg in path:gmatch('[^/]+') do
    local coll, id = seg:match("^(%a+)%('(.*)'%)$")
    if coll and EACH[coll] == nil and (coll == 'users' or coll == 'groups' or coll == 'messages' or coll == 'items') and ch('parenKey', coll) then
      table.insert(req.segments, coll); table.insert(req.segments, unpct(id))
    else table.insert(req.segments, unpct(seg)) end
  end
  for pair in qs:gmatch('[^&]+') do
    local k, v = pair:match('^([^=]*)=?(.*)$')
    req.query[unpct((k:gsub('+', ' ')))] = unpct((v:gsub('+', ' ')))
  end
  return req, buf:sub(stop)
end
io.stdout:write('listening on ' .. origin .. '/v1.0\n'); io.stdout:flush()
local function drop(s) s:close(); buffers[s] = nil; for i, x in ipairs(socks) do if x == s then table.remove(socks, i) break end end end
while true do
  for _, s in ipairs((socket.select(socks, nil, 30))) do
    if s == server then
      local c = server:accept()
      if c then c:settimeout(0); c:setoption('tcp-nodelay', true); socks[#socks + 1] = c; buffers[c] = '' end
    elseif buffers[s] then
      local data, err, part = s:receive(65536)
      buffers[s] = buffers[s] .. (data or part or '')
      while true do
        local req, rest = parse(buffers[s])
        if not req then break end
        buffers[s] = rest
        s:settimeout(10); s:send(answer(req)); s:settimeout(0)
        if (req.headers.connection or ''):lower() == 'close' then err = 'closed' break end
      end
      if err == 'closed' then drop(s) end
    end
  end
end
