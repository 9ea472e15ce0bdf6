-- The ground of the Lua service: JSON, choices, faults, times, the schema and the data.

-- ---------------------------------------------------------------- JSON
local null = setmetatable({}, { __tostring = function() return 'null' end })
local ARR = { __name = 'array' }
local function list(t) return setmetatable(t or {}, ARR) end
local function islist(v) return type(v) == 'table' and getmetatable(v) == ARR end
local function isobj(v) return type(v) == 'table' and v ~= null and not islist(v) end
local ESC = { ['"'] = '\\"', ['\\'] = '\\\\', ['\n'] = '\\n', ['\r'] = '\\r', ['\t'] = '\\t' }
local function quote(s)
  return '"' .. s:gsub('[%c"\\]', function(c) return ESC[c] or string.format('\\u%04x', c:byte()) end) .. '"'
end
local function encode(v)
  if v == null or v == nil then return 'null' end
  if type(v) == 'string' then return quote(v) end
  if type(v) == 'number' then return string.format(math.type(v) == 'integer' and '%d' or '%.14g', v) end
  if type(v) ~= 'table' then return tostring(v) end
  local out = {}
  if islist(v) then
    for i, x in ipairs(v) do out[i] = encode(x) end
    return '[' .. table.concat(out, ',') .. ']'
  end
  local keys = {}
  for k in pairs(v) do keys[#keys + 1] = k end
  table.sort(keys)
  for i, k in ipairs(keys) do out[i] = quote(k) .. ':' .. encode(v[k]) end
  return '{' .. table.concat(out, ',') .. '}'
end
local function decode(s)
  local i = 1
  local function ws() i = s:find('[^ \t\r\n]', i) or #s + 1 end
  local value
  local function str()
    i = i + 1
    local out = {}
    while true do
      local j = s:find('[%c"\\]', i) or error('unterminated string')
      out[#out + 1] = s:sub(i, j - 1)
      local c = s:sub(j, j)
      if c == '"' then i = j + 1; return table.concat(out) end
      if c ~= '\\' then error('control character') end
      local e = s:sub(j + 1, j + 1)
      i = j + 2
      if e == 'u' then
        local cp = tonumber(s:match('^%x%x%x%x', i) or error('bad escape'), 16)
        i = i + 4
        local lo = cp >= 0xD800 and cp < 0xDC00 and s:match('^\\u(%x%x%x%x)', i)
        if lo then cp = 0x10000 + (cp - 0xD800) * 1024 + (tonumber(lo, 16) - 0xDC00); i = i + 6 end
        out[#out + 1] = utf8.char(cp)
      else
        out[#out + 1] = ({ n = '\n', t = '\t', r = '\r', b = '\b', f = '\f', ['"'] = '"', ['\\'] = '\\', ['/'] = '/' })[e] or error('bad escape')
      end
    end
  end
  function value()
    ws()
    local c = s:sub(i, i)
    if c == '"' then return str() end
    if c == '{' then
      local o = {}
      i = i + 1; ws()
      if s:sub(i, i) == '}' then i = i + 1; return o end
      while true do
        ws()
        if s:sub(i, i) ~= '"' then error('key expected') end
        local k = str(); ws()
        if s:sub(i, i) ~= ':' then error('colon expected') end
        i = i + 1
        o[k] = value(); ws()
        local d = s:sub(i, i)
        i = i + 1
        if d == '}' then return o elseif d ~= ',' then error('comma expected') end
      end
    elseif c == '[' then
      local a = list()
      i = i + 1; ws()
      if s:sub(i, i) == ']' then i = i + 1; return a end
      while true do
        a[#a + 1] = value(); ws()
        local d = s:sub(i, i)
        i = i + 1
        if d == ']' then return a elseif d ~= ',' then error('comma expected') end
      end
    end
    for word, v in pairs { ['true'] = true, ['false'] = false, ['null'] = null } do
      if s:sub(i, i + #word - 1) == word then i = i + #word; return v end
    end
    local n = s:match('^-?%d+%.?%d*[eE]?[+-]?%d*', i) or error('value expected')
    i = i + #n
    return math.tointeger(tonumber(n)) or tonumber(n) or error('bad number')
  end
  local v = value(); ws()
  if i <= #s then error('trailing text') end
  return v
end
local function copy(v)
  if type(v) ~= 'table' or v == null then return v end
  local o = setmetatable({}, getmetatable(v))
  for k, x in pairs(v) do o[k] = copy(x) end
  return o
end

-- ---------------------------------------------------------------- choices and faults
local COLLS = { 'users', 'messages', 'groups', 'members', 'items', 'children' }
local EACH = { -- settable for each collection as "<collection>.<name>"; the first value is the default
  page = { 100, 7, 10, 25, 50, about = 'items on a page' }, maxTop = { 999, 40, 100, 500, about = 'largest $top' },
  topOver = { 'clamp', 'reject', about = 'what happens above it' },
  topMeans = { 'limit', 'page', about = 'whether $top limits all pages or is the size of a page' },
  topZero = { 'empty', 'reject', about = 'answer to $top=0' }, collateEq = { 'exact', 'fold', about = 'letter case in eq and ne' },
  collateRel = { 'exact', 'fold', about = 'letter case in gt, ge, lt and le' },
  collateFn = { 'exact', 'fold', about = 'letter case in text functions' }, collateSort = { 'exact', 'fold', about = 'letter case in $orderby' },
  nulls = { 'low', 'high', about = 'where null sorts' }, natural = { 'insert', 'id', 'reverse', about = 'order without $orderby' },
  countNeeds = { 'never', 'always', 'filtered', about = 'when $count=true needs ConsistencyLevel' },
  filterable = { true, false, about = '$filter is supported' }, sortable = { true, false, about = '$orderby is supported' },
  skippable = { true, false, about = '$skip is supported' }, searchable = { true, false, about = '$search is supported' },
  unselected = { 'absent', 'null', about = 'what becomes of unselected properties' },
  selectUnknown = { 'ignore', 'reject', about = 'unknown property in $select' },
  sortUnknown = { 'reject', 'ignore', about = 'unknown property in $orderby' },
  expandable = { true, false, about = '$expand is supported' },
  nextForm = { 'skiptoken', 'skip', 'opaque', about = 'form of the next link' },
  countPages = { 'all', 'first', about = 'pages that carry the count' },
  key = { 'guid', 'short', 'long', 'digits', about = 'form of identifiers' }, badKey = { 404, 400, about = 'answer to a malformed identifier' },
  parenKey = { false, true, about = "accepts name('key')" }, createStatus = { 201, 200, about = 'status of a create' },
  deleteStatus = { 204, 200, 202, about = 'status of a delete' }, etag = { 'both', 'header', 'body', 'none', about = 'where the entity tag is' },
  weakTag = { true, false, about = 'the entity tag is weak' }, countable = { true, false, about = '$count is supported' },
}
local ONCE = {
  badBody = { 400, 422, about = 'status of a wrong value in a body' }, unknownBody = { 'ignore', 'reject', about = 'unknown property in a body' },
  idInBody = { 'ignore', 'reject', about = 'id in a body' }, advanced = { 400, 403, 501, about = 'status without ConsistencyLevel' },
  unsupported = { 400, 501, 405, about = 'status of an unsupported option' }, badQuery = { 400, 422, about = 'status of a wrong option' },
  unknownOption = { 'ignore', 'reject', about = 'unknown query option' }, noRoute = { 404, 400, about = 'status of an unknown path' },
  wrongMethod = { 405, 404, 501, about = 'status of a wrong method' }, stamp = { 's', 'ms', '7', about = 'precision of timestamps' },
  received = { 'client', 'server', about = 'who sets receivedDateTime' }, bodyRender = { 'stored', 'html', about = 'body without a preference' },
  prefer = { true, false, about = 'the preference is honoured' }, preferApplied = { true, false, about = 'Preference-Applied is sent' },
  delta = { 'delta', 'delta()', about = 'path of change tracking' }, countBody = { 'text', 'json', about = 'media type of the count' },
  reminder = { 'function', 'query', about = 'path of the reminder view' },
  reminderShape = { 'envelope', 'list', about = 'shape of the reminder view' },
  idsShape = { 'envelope', 'list', about = 'shape of lists of identifiers' },
  transitiveGroups = { true, false, about = 'getMemberGroups is transitive' },
  transitiveCheck = { true, false, about = 'checkMemberObjects is transitive' },
  nullLogic = { 'two', 'three', about = 'comparing with null is false or unknown' },
  typeMismatch = { 'reject', 'false', about = 'comparing different types' },
  searchMatch = { 'prefix', 'substring', 'word', about = 'what a search term matches' },
  searchSort = { 'allow', 'reject', about = '$search with $orderby' }, innerError = { false, true, about = 'further fields in errors' },
  challenge = { true, false, about = 'WWW-Authenticate is sent' }, context = { true, false, about = '@odata.context is sent' },
  noManager = { 'null', 'absent', about = 'expanded manager that is missing' }, memberType = { true, false, about = 'members carry their type' },
  extras = { false, true, about = 'further properties' }, codes = { 'graph', 'http', about = 'style of error codes' },
  emptyPatch = { 200, 400, about = 'PATCH without fields' }, nullPatch = { 'accept', 'reject', about = 'null in a body' },
  groupNeeds = { 'all', 'name', 'none', about = 'what a new group needs' },
  noSubject = { 'empty', 'null', about = 'subject of a message without one' },
  staleDelta = { 'reject', 'restart', about = 'an unknown delta token' }, maxIds = { 1000, 20, about = 'most identifiers in one check' },
  missingMatch = { 404, 412, about = 'If-Match on a missing item' }, memberFields = { 'full', 'short', about = 'properties of members' },
}
local ONLY = { page = { messages = 10 } } -- defaults of one collection
local FAULTS = {
  ['and-or-flat'] = "filter: 'Logical operators: and, or, not, with parentheses.' - and no longer binds tighter than or",
  ['false-is-nothing'] = "filter: 'Values: ... booleans true/false' - comparing with false finds nothing",
  ['startswith-pattern'] = "filter: 'Functions: startsWith(<property>, <text>)' - the text is taken as a Lua pattern, so '.' and '-' are special",
  ['ge-strict-times'] = "filter: 'Comparison operators: eq, ne, gt, ge' - ge leaves out the equal moment",
  ['any-needs-all'] = "filter: 'Collection lambda: <collection>/any(...)' - true only if every element fits",
  ['last-direction-wins'] = "ordering: 'several keys apply in order' of '<property> or <property> desc' - the last direction is used for all keys",
  ['sort-after-cut'] = "ordering: 'A request with both $top and $orderby returns the first $top items in that order.' - cut first, sorted afterwards",
  ['next-drops-filter'] = "paging: '@odata.nextLink: address of the next page' - the second page forgets $filter",
  ['third-page-loses-one'] = "paging: 'paging by following @odata.nextLink' - from the third page on the first item is lost",
  ['count-of-page'] = "count: '$count: when true the response carries @odata.count' of the collection - it holds the number on the page",
  ['one-manager-for-all'] = "expand: '$expand: include related resources' - in a list every user shows the first expanded manager",
  ['nested-select-outside'] = "expand: 'nested form <relation>($select=<props>)' - the nested selection is applied to the outer item too",
  ['select-kills-expand'] = "expand: '$expand: include related resources' - lost as soon as $select is given",
  ['search-first-term'] = "search: 'terms joined with OR' - only the first term is looked for",
  ['one-recipient'] = "writing: 'toRecipients: list of recipients' - a created message keeps only the first one",
  ['patch-resets-flags'] = "writing: 'Message with fields to change' - a PATCH sets isRead and importance back when they are left out",
  ['ghost-after-delete'] = "writing: 'item does not exist: 404' - a deleted message is gone from the list, yet still read by its id",
  ['manager-as-list'] = "items: 'GET /me/manager: manager (a user)' - answered as an envelope with one item",
  ['security-flag-ignored'] = "operations: 'object with securityEnabledOnly (boolean)' - other groups are named all the same",
  ['reminder-end-open'] = "operations: 'parameterised by startDateTime and endDateTime' - the end is not applied",
  ['error-is-text'] = "errors: 'an object error with code and message' - error is a string when a message is not found",
  ['token-beginning'] = "authentication: 'A request without valid authentication fails with status 401.' - only the first characters of the token are compared",
  ['if-match-unread'] = "conditional: 'If-Match: entity tag, conditional change or delete' - PATCH of a message does not look at it",
  ['contains-hidden'] = "filter: 'contains ... require the request header' - noticed only at the beginning of the filter",
  ['skip-inside-top'] = "paging: '$skip: number of items skipped' and '$top: maximum items returned' - skipped items are taken from the $top items",
}
local env = os.getenv
local opt = { port = env 'PORT' or '0', token = env 'TOKEN' or 'secret', choices = env 'CHOICES' or '{}', fault = env 'FAULT' or '' }
local function describe()
  local function add(out, name, values, default)
    out[#out + 1] = { name = name, values = list { table.unpack(values) }, default = default, meaning = values.about }
  end
  local choices, faults = list(), list()
  for name, values in pairs(EACH) do
    -- The interface promises $expand=thumbnails on children.
    for _, c in ipairs(COLLS) do if c ~= 'children' or name ~= 'expandable' then add(choices, c .. '.' .. name, values, ONLY[name] and ONLY[name][c] or values[1]) end end
  end
  for name, values in pairs(ONCE) do add(choices, name, values, values[1]) end
  for name, text in pairs(FAULTS) do
    local area, meaning = text:match('^(%w+): (.*)$')
    faults[#faults + 1] = { name = name, area = area, meaning = meaning }
  end
  local function byName(a, b) return a.name < b.name end
  table.sort(choices, byName)
  table.sort(faults, byName)
  return { language = 'Lua', store = 'tables', choices = choices, faults = faults }
end
for i = 1, #arg do
  local k = arg[i]:match('^%-%-(%w+)$')
  if k == 'describe' then print(encode(describe())); os.exit(0)
  elseif k then opt[k] = arg[i + 1] end
end
local CH = decode(opt.choices)
local FAULT = opt.fault
if FAULT ~= '' and FAULT ~= 'none' and not FAULTS[FAULT] then io.stderr:write('no such fault\n'); os.exit(2) end
local function ch(name, coll)
  if coll then
    local v = CH[coll .. '.' .. name]
    if v == nil then v = CH[name] end
    if v == nil and ONLY[name] then v = ONLY[name][coll] end
    if v == nil then v = EACH[name][1] end
    return v
  end
  if CH[name] ~= nil then return CH[name] end
  return ONCE[name][1]
end

-- ---------------------------------------------------------------- times and text
local function days(y, m, d)
  if m <= 2 then y = y - 1; m = m + 12 end
  local era = y // 400
  local yoe = y - era * 400
  return era * 146097 + yoe * 365 + yoe // 4 - yoe // 100 + (153 * (m - 3) + 2) // 5 + d - 1 - 719468
end
local MONTH = { 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 }
local function moment(s) -- milliseconds since 1970, or nil
  local y, mo, d, h, mi, rest = s:match('^(%d%d%d%d)%-(%d%d)%-(%d%d)T(%d%d):(%d%d)(.*)$')
  if not y then return nil end
  local sec, frac, zone = rest:match('^:(%d%d)(%.?%d*)(.*)$')
  if not sec then sec, frac, zone = '0', '', rest end
  local shift = 0
  if zone ~= 'Z' and zone ~= 'z' then
    local sg, zh, zm = zone:match('^([+-])(%d%d):(%d%d)$')
    if not sg then return nil end
    shift = (tonumber(zh) * 60 + tonumber(zm)) * (sg == '+' and 1 or -1)
  end
  y, mo, d, h, mi, sec = tonumber(y), tonumber(mo), tonumber(d), tonumber(h), tonumber(mi), tonumber(sec)
  if mo < 1 or mo > 12 or d < 1 or d > MONTH[mo] or h > 23 or mi > 59 or sec > 59 then return nil end
  local ms = math.floor((tonumber('0' .. frac) or 0) * 1000 + 0.5)
  return math.tointeger((days(y, mo, d) * 1440 + h * 60 + mi - shift) * 60000 + sec * 1000 + ms)
end
local function stamp(ms)
  local base = os.date('!%Y-%m-%dT%H:%M:%S', ms // 1000)
  local form = ch 'stamp'
  if form == 's' then return base .. 'Z' end
  return base .. string.format(form == 'ms' and '.%03dZ' or '.%03d0000Z', ms % 1000)
end
local function lower(s)
  return (s:lower():gsub('\xC3([\x80-\x96\x98-\x9E])', function(c) return '\xC3' .. string.char(c:byte() + 32) end))
end

-- ---------------------------------------------------------------- errors
local CODE = { [400] = 'BadRequest', [401] = 'InvalidAuthenticationToken', [403] = 'Forbidden', [404] = 'ResourceNotFound', [405] = 'MethodNotAllowed',
  [412] = 'PreconditionFailed', [422] = 'UnprocessableEntity', [500] = 'InternalServerError', [501] = 'NotImplemented' }
local function fail(status, message, code) error({ status = status, message = message, code = code }, 0) end

-- ---------------------------------------------------------------- schema and data
local TYPES = {
  user = { id = 'string', displayName = 'string', mail = 'string', jobTitle = 'string', department = 'string', officeLocation = 'string',
    surname = 'string', accountEnabled = 'bool', assignedLicenses = 'list' },
  message = { id = 'string', subject = 'string', body = 'object', toRecipients = 'list', from = 'object', receivedDateTime = 'time',
    isRead = 'bool', importance = 'string' },
  group = { id = 'string', displayName = 'string', mailEnabled = 'bool', mailNickname = 'string', securityEnabled = 'bool' },
  item = { id = 'string', name = 'string', size = 'number', webUrl = 'string', lastModifiedDateTime = 'time', folder = 'object' },
}
TYPES.member = TYPES.user
if ch 'extras' then TYPES.user.userPrincipalName = 'string'; TYPES.message.hasAttachments = 'bool'; TYPES.group.description = 'string' end
local SUB = { ['body/content'] = 'string', ['body/contentType'] = 'string', ['from/emailAddress/address'] = 'string',
  ['from/emailAddress/name'] = 'string', ['emailAddress/address'] = 'string', ['emailAddress/name'] = 'string', skuId = 'string', ['folder/childCount'] = 'number' }
local RELATIONS = { user = { manager = 'user' }, message = { attachments = 'attachment', singleValueExtendedProperties = 'property' },
  group = {}, item = { thumbnails = 'thumbnail', children = 'item' }, member = {} }
local SEARCH = { users = { displayName = true, mail = true, jobTitle = true, department = true }, messages = { subject = true, body = true, from = true },
  groups = { displayName = true, mailNickname = true }, members = { displayName = true, mail = true }, items = { name = true }, children = { name = true } }
math.randomseed(20261125)
local rnd = math.random
local function newid(coll)
  local form = ch('key', coll)
  local function hex(n) local o = {} for i = 1, n do o[i] = ('0123456789abcdef'):sub(rnd(16), -1):sub(1, 1) end return table.concat(o) end
  if form == 'guid' then return hex(8) .. '-' .. hex(4) .. '-4' .. hex(3) .. '-a' .. hex(3) .. '-' .. hex(12) end
  if form == 'short' then return coll:sub(1, 1) .. hex(8) end
  if form == 'digits' then local o = {} for i = 1, 12 do o[i] = rnd(9) end return table.concat(o) end
  return 'AAMk' .. hex(24):upper() .. '_' .. hex(12) .. '='
end
local KEYFORM = { guid = '^%x+%-%x+%-%x+%-%x+%-%x+$', short = '^%w+$', digits = '^%d+$', long = '^[%w_=-]+$' }
local users, messages, groups, items, reminders = {}, {}, {}, {}, {}
local memberOf = {} -- group id -> ordered list of member records
local function put(store, item) store[#store + 1] = item; item._v = 1; return item end
do
  local first = { 'Alice', 'Bruno', 'Chiara', 'Dmitri', 'Eva', 'Farid', 'Grace', 'Hiro', 'Ines', 'Jonas', 'Katja', 'liam', 'Mona', 'Nils', 'Olga', 'Pierre', 'Quentin', 'Rosa', 'Sven', 'Tara', 'Uwe', 'Vera' }
  local last = { "O'Connor", 'Smith', 'Smith', 'van der Berg', 'Jensen', 'Müller', 'García', 'smith', 'D.-Lopez', 'Ånström', 'Novak' }
  local depts, titles = { 'Sales', 'Engineering', 'Finance', 'HR', 'R&D (Labs)' }, { 'Engineer', 'Account Manager', 'Analyst', 'Director', 'Sr. Engineer' }
  for i = 1, 44 do
    local f, l = first[(i - 1) % 22 + 1], last[(i * 3) % 11 + 1]
    local u = put(users, { id = newid 'users', displayName = f .. ' ' .. l, surname = l, department = depts[i % 5 + 1],
      mail = i % 9 == 4 and null or (f .. '.' .. i .. '@contoso.example'):lower(), jobTitle = i % 6 == 2 and null or titles[rnd(5)],
      officeLocation = ({ '18/2111', 'Berlin-2', '131/1104', 'North Wing' })[rnd(4)], accountEnabled = i % 4 ~= 3, assignedLicenses = list() })
    for k = 1, i % 4 do if rnd(3) > 1 then table.insert(u.assignedLicenses, { skuId = 'c7df2760-2c81-4ef7-b578-5b5392b571' .. (i + k) % 5 .. k }) end end
    u.userPrincipalName = f:lower() .. i .. '@contoso.example'
    u._manager = i > 1 and i % 7 ~= 0 and users[i == 2 and 1 or math.max(1, i // 4)].id or nil
  end
  users[1]._manager = users[2].id; users[2]._manager = nil
  local subj = { 'Budget review', 'Lunch on Friday?', 'Re: Budget review', 'Quarterly report Q3', "Don't forget: offsite", 'Invoice 50% due', 'budget draft', 'Welcome aboard', 'Server maintenance window', 'Résumé attached' }
  local function rcp(u) return { emailAddress = { address = u.mail ~= null and u.mail or u.userPrincipalName, name = u.displayName } } end
  local t0 = moment '2024-03-01T08:15:00Z'
  for i = 1, 64 do
    local m = put(messages, { id = newid 'messages', subject = subj[i % 10 + 1] .. (i % 3 == 0 and ' #' .. i or ''), from = rcp(users[rnd(44)]), toRecipients = list { rcp(users[1]) },
      body = i % 3 == 0 and { contentType = 'text', content = 'Please see the figures for week ' .. i .. '.' }
        or { contentType = 'html', content = '<html><body><p>Hello,</p><p>item ' .. i .. ' is <b>open</b>.</p></body></html>' },
      receivedDateTime = stamp(t0 + (i // 2) * 5400000), isRead = i % 3 ~= 1, importance = ({ 'normal', 'high', 'normal', 'low' })[i % 4 + 1],
      _attachments = list(), _singleValueExtendedProperties = list(), hasAttachments = i % 5 == 0 })
    for k = 1, rnd(3) - 1 do table.insert(m.toRecipients, rcp(users[rnd(44)])) end
    if i % 5 == 0 then for k = 1, i % 2 + 1 do table.insert(m._attachments, { id = 'att' .. i .. k, name = 'report-' .. i .. '-' .. k .. '.pdf', size = 1000 * i }) end end
    if i % 8 == 0 then table.insert(m._singleValueExtendedProperties, { id = 'String {00020329-0000-0000-C000-000000000046} Name Color', value = 'green' }) end
  end
  local names = { 'All Staff', 'Sales Team', 'Engineering', 'Finance Leads', 'Book club', 'Security Operations', 'Board', 'HR-Partners', 'Contractors (EU)', "Editors' desk", 'Labs', 'Platform', 'Interns', 'Night Shift', 'Travel', 'Platform admins' }
  for i, n in ipairs(names) do
    local g = put(groups, { id = newid 'groups', displayName = n, mailNickname = n:lower():gsub('[^a-z]', ''), mailEnabled = i % 3 == 0, securityEnabled = i % 2 == 1, description = n .. ' group' })
    memberOf[g.id] = {}
    for k = 1, 44 do if i == 1 or (k + i) % (i % 5 + 3) == 0 then table.insert(memberOf[g.id], users[k]) end end
  end
  for _, e in ipairs { { 7, 2 }, { 7, 3 }, { 12, 16 }, { 3, 12 }, { 11, 3 }, { 14, 13 } } do table.insert(memberOf[groups[e[1]].id], groups[e[2]]) end
  table.insert(memberOf[groups[2].id], 1, users[1]); table.insert(memberOf[groups[16].id], 1, users[1])
  local function file(name, parent, folder)
    local f = put(items, { id = newid 'items', name = name, size = folder and 0 or rnd(900000), webUrl = 'https://files.example/' .. name, lastModifiedDateTime = stamp(t0 + #items * 7200000), folder = folder and { childCount = 0 } or nil, _parent = parent and parent.id })
    if parent then parent.folder.childCount = parent.folder.childCount + 1 end
    f._thumbnails = folder and list() or list { { id = '0', small = { url = 'https://thumbs.example/s/' .. #items, width = 96, height = 96 }, large = { url = 'https://thumbs.example/l/' .. #items, width = 800, height = 800 } } }
    return f
  end
  for i = 1, 4 do
    local dir = file(({ 'Documents', 'Photos', 'Archive', 'Empty' })[i], nil, true)
    for k = 1, ({ 14, 9, 3, 0 })[i] do file(({ 'Plan', 'img', 'old', '' })[i] .. ' ' .. k .. ({ '.docx', '.jpg', '.zip', '' })[i], dir, false) end
  end
  for i = 1, 12 do
    local at = moment '2024-06-03T09:00:00Z' + i * 43200000
    reminders[i] = { eventId = 'ev' .. i, eventSubject = subj[i % 10 + 1], reminderFireTime = { dateTime = stamp(at), timeZone = 'UTC' }, _at = at,
      eventStartTime = { dateTime = stamp(at + 900000), timeZone = 'UTC' }, eventEndTime = { dateTime = stamp(at + 4500000), timeZone = 'UTC' } }
  end
end
local me = users[1]
local ghosts = {}
local function find(store, id) for i, x in ipairs(store) do if x.id == id then return x, i end end end

return { null = null, list = list, islist = islist, isobj = isobj, encode = encode, decode = decode, copy = copy, opt = opt, CH = CH, FAULT = FAULT, FAULTS = FAULTS, ch = ch, EACH = EACH, moment = moment, stamp = stamp, lower = lower, CODE = CODE, fail = fail, TYPES = TYPES, SUB = SUB, RELATIONS = RELATIONS, SEARCH = SEARCH, rnd = rnd, newid = newid, KEYFORM = KEYFORM, users = users, messages = messages, groups = groups, items = items, reminders = reminders, memberOf = memberOf, put = put, me = me, ghosts = ghosts, find = find }
