import { member, type Probes, type Send, text } from './probe.js'

const eventual = { ConsistencyLevel: 'eventual' }

const textFilters = [
  "displayName eq 'Alpha'",
  "displayName ne 'Alpha'",
  "displayName gt 'Beta Gamma'",
  "displayName ge 'Beta Gamma'",
  "displayName lt 'Beta Gamma'",
  "displayName le 'Beta Gamma'",
  "displayName eq 'O''Neil'",
  "startsWith(displayName,'100%')",
  "startsWith(displayName,'under_')",
  "startsWith(displayName,'')",
  "startsWith(displayName,'O''')",
  "contains(displayName,'x.y')",
  "startsWith(displayName,'x.y')",
  "startsWith(displayName,'l')",
  "startsWith(displayName,'Gamma')",
  "startsWith(displayName,'team')",
  "contains(displayName,'a)')",
  "endsWith(displayName,')')",
  "endsWith(displayName,'y')",
  "endsWith(displayName,'a')",
  "endsWith(displayName,'Zoë straße')",
  "contains(displayName,'l')",
  "contains(displayName,'R&D')",
  "displayName eq 'a+b'",
  "displayName eq 'R&D team'",
  "displayName eq 'R&D  team'",
  "displayName eq '100% sure'",
  "displayName eq 'smile 😀 face'",
  "displayName eq 'back\\slash'",
  "displayName eq 'Alpha '",
  "displayName eq 'Alph'",
  "displayName eq 'semi;colon, comm'",
  "displayName eq 'Alpha'",
  "contains(displayName,'star*')",
  "contains(displayName,'a*b')",
  "tolower(displayName) eq 'alpha'",
  "tolower(displayName) eq 'émile'",
  "contains(tolower(displayName),'alph')",
  'mail eq null',
  'mail ne null',
  "mail ne 'Sales'",
  "not (mail eq 'Sales')",
  "not contains(mail,'Sa')",
  "contains(mail,'Sa')",
  "startsWith(mail,'S')",
  "mail lt 'T'",
  "mail eq 'Sales' or mail eq 'Support'",
  "mail eq 'Sales' and displayName eq 'alpha'",
  "mail eq 'Sales' or mail eq 'Support' and displayName gt 'b'",
  "(mail eq 'Sales' or mail eq 'Support') and displayName gt 'b'",
  "displayName gt 'b' and (mail eq 'Sales' or mail eq 'Support')",
  "contains(displayName,'A%a')",
  "'Beta Gamma' lt displayName",
  "mail eq 'null'",
  "startsWith(displayName,'A') eq false",
  "startsWith(mail,'S') or displayName ge 'b'",
  "endsWith(displayName,'longer than some of the names')",
  "not (mail eq 'Sales' and displayName gt 'b')",
  "not (mail eq 'Sales') and displayName gt 'b'",
  "startsWith(displayName,'A') or mail eq 'Support'",
  "mail ne null and displayName gt 'B' and displayName lt 'a'",
  "contains(displayName,'a') and startsWith(displayName,'A')",
  "mail eq 'a' or mail eq 'b' or mail eq 'c' or mail eq 'd' or mail eq 'e' or mail eq 'Sales'",
]

const userFilters = [
  'not assignedLicenses/any(x:x/skuId ne null)',
  'accountEnabled eq false and assignedLicenses/any(x:x/skuId eq 0b6a1d1e-7c55-4f0e-9d0a-000000000024)',
  'accountEnabled eq true',
  'accountEnabled eq false',
  'accountEnabled eq null',
  'jobTitle eq null',
  "assignedLicenses/any(x:x/skuId eq '0b6a1d1e-7c55-4f0e-9d0a-000000000014')",
  'assignedLicenses/any(x:x/skuId eq 0b6a1d1e-7c55-4f0e-9d0a-000000000024) and accountEnabled eq false',
  "assignedLicenses/any(x:x/skuId eq null or x/skuId eq '0b6a1d1e-7c55-4f0e-9d0a-000000000014')",
  "businessPhones/any(p:p eq 'Alpha')",
]

const messageFilters = [
  'receivedDateTime gt 2026-03-01T10:00:00Z',
  'receivedDateTime ge 2026-03-01T10:00:00.5Z',
  'receivedDateTime eq 2026-03-01T10:00:00Z',
  'receivedDateTime lt 2026-03-01T10:00:00.5Z',
  "from/emailAddress/address eq 'Sales'",
  "importance eq 'high'",
  'isRead eq true',
]

const itemFilters = ['size gt 9', 'size lt 100', 'folder/childCount ge 10']

/** Credentials that resemble the right one, `Bearer mutant-token`. */
const nearValid = ['Bearer mutant-toke', 'Bearer mutant-tokens', 'Bearer MUTANT-TOKEN', 'Basic mutant-token']

/** Exercises nearly everything that the Directory spec declares. */
export const directoryProbes: Probes = { walks, items, operations, delta, mail, more, lists, filters }

/** The path of each kind of collection, its filters, a property with a text, and a relation. */
async function collectionsOf(
  request: Send,
): Promise<readonly (readonly [path: string, filters: readonly string[], name: string, relation: string])[]> {
  const groups = await request({ path: '/groups', headers: eventual })
  await request({ path: "/groups?$filter=contains(displayName,'a')&$orderby=displayName" })
  await request({ path: "/groups?$filter=contains(displayName,'a')&$count=true" })
  const group = text(groups.json, 'value', 0, 'id')
  return [
    ['/users', [...textFilters, ...userFilters], 'displayName', 'manager'],
    [`/groups/${group}/members`, textFilters.slice(0, 12), 'displayName', 'memberOf'],
    ['/me/messages', [...messageFilters, "subject eq 'Alpha'"], 'subject', 'attachments'],
    ['/me/drive/items', itemFilters, 'name', 'thumbnails'],
    ['/groups', [...textFilters.slice(0, 8), "mailNickname ge 'a'"], 'displayName', 'members'],
  ]
}

/** Every filter on its collection. */
async function filters(request: Send): Promise<void> {
  for (const [path, some] of await collectionsOf(request)) {
    for (const filter of some)
      await request({ path: `${path}?$filter=${encodeURIComponent(filter)}`, headers: eventual })
  }
}

/** All pages of some lists of each kind, and an item with attachments. */
async function walks(request: Send): Promise<void> {
  const expanded = await request({ path: '/me/messages?$top=40&$expand=attachments' })
  const ids = Array.from({ length: 40 }, (_, index) =>
    member(expanded.json, 'value', index, 'attachments', 0) === undefined
      ? undefined
      : member(expanded.json, 'value', index, 'id'),
  )
  await request({ path: `/me/messages/${ids.find(id => id !== undefined)}` })
  for (const query of [
    '/users?$top=25&$orderby=mail desc,displayName&$select=id,mail',
    '/users?$top=25&$orderby=mail desc,displayName&$expand=manager',
    '/users?$top=5&$skip=3&$orderby=mail desc,displayName&$count=true',
    '/me/messages?$filter=isRead eq true&$count=true&$expand=attachments',
    '/me/messages?$filter=receivedDateTime ge 2026-03-01T10:00:00.25Z&$top=9',
    '/groups?$search="displayName:alpha" OR "displayName:beta"&$skip=1',
    "/users?$filter=not startsWith(jobTitle,'A') and accountEnabled ne true&$top=10",
    '/users?$skip=3&$top=9',
    '/users?$filter=accountEnabled eq true&$orderby=displayName&$skip=1',
    '/me/messages?$select=subject,body,from',
  ]) {
    let next: unknown = encodeURI(query)
    for (let page = 0; page < 20 && typeof next === 'string'; page++) {
      const { json } = await request({ path: resolved(next), headers: eventual })
      next = member(json, '@odata.nextLink')
      if (page === 0 && typeof next === 'string') await request({ path: resolved(next), credential: undefined })
    }
  }
}

/** A link relative to the service root. */
function resolved(link: string): string {
  if (link.startsWith('?')) return `/users${link}`
  return link.startsWith('/v1.0') ? link.slice('/v1.0'.length) : link
}

/** The first pages of a list. */
async function listPages(request: Send, path: string, pages = 3): Promise<void> {
  let next: unknown = path
  for (let page = 0; page < pages && typeof next === 'string' && next !== ''; page++) {
    const { json } = await request({
      path: next.startsWith('/v1.0') ? next.slice('/v1.0'.length) : next,
      headers: eventual,
    })
    next = member(json, '@odata.nextLink')
  }
}

/** Each query option, and some combinations, on each kind of collection. */
async function lists(request: Send): Promise<void> {
  const get = (path: string, headers: Readonly<Record<string, string>> = eventual) => request({ path, headers })
  for (const [path, , name, relation] of await collectionsOf(request)) {
    await listPages(request, `${path}?$top=4`)
    await listPages(request, `${path}?$top=4&$orderby=${name} desc,id`)
    await listPages(
      request,
      `${path}?$top=3&$filter=${encodeURIComponent(`${name} gt 'R&D'`)}&$select=id,${name}&$count=true&$expand=${relation}`,
    )
    for (const query of [
      `$orderby=${name}`,
      `$orderby=${name} desc`,
      `$orderby=${name} desc,id desc`,
      `$orderby=${name},id desc`,
      `$select=${name}`,
      `$select=id,${name}&$orderby=${name}`,
      `$select=id&$orderby=${name} desc`,
      `$count=true&$orderby=${name} desc`,
      `$select=id,${name}&$top=2`,
      `$expand=${relation}`,
      `$expand=${relation}($select=id)`,
      `$skip=2`,
      `$skip=1000`,
      `$skip=2&$top=3`,
      `$skip=2&$orderby=${name}`,
      '$count=true&$top=0',
      '$count=false',
      '$count=true&$top=2',
      `$count=true&$filter=${encodeURIComponent(`startsWith(${name},'A')`)}`,
      `$count=true&$skip=3&$expand=${relation}`,
      `$filter=${encodeURIComponent(`startsWith(${name},'A')`)}&$orderby=${name} desc&$top=2`,
      `$filter=${encodeURIComponent(`startsWith(${name},'A')`)}&$select=id`,
      `$search="${name}:alpha"`,
      `$search="${name}:alpha" OR "${name}:delta"`,
      `$search="${name}:beta"`,
      `$search="${name}:alpha" OR "${name}:beta" OR "${name}:delta"`,
      `$search="${name}:émile"`,
      `$search="${name}:alpha" OR "${name}:beta"&$top=1`,
      `$search="${name}:alpha" OR "${name}:beta"&$filter=${encodeURIComponent(`${name} ne 'none'`)}&$top=1`,
      `$filter=${encodeURIComponent(`${name} ne 'none'`)}&$skip=1&$top=2`,
      `$search="${name}:alpha" OR "${name}:delta"&$orderby=${name} desc`,
      `$search="${name}:alpha"&$select=id`,
      `$search="${name}:alpha"&$expand=${relation}`,
      `$skip=1&$expand=${relation}`,
      `$search="${name}:alpha"&$filter=${encodeURIComponent(`startsWith(${name},'Al')`)}`,
      '$frobnicate=1',
      '$filter=nonsense eq',
      `$filter=startsWith(${name},'%2541')`,
      '$filter="x" eq 1',
      '$expand="x"',
      '$filter=nothing eq 1',
      '$orderby=nothing',
      '$filter=day(receivedDateTime) eq 1',
      '$top=x',
    ]) {
      await get(`${path}?${query}`)
    }
    await get(`${path}?$filter=contains(${name},'a')`, {})
    await get(`${path}?$filter=${name} eq 'contains(x)'`, {})
    await get(`${path}?$filter=${name} eq 'no such text'&$count=true`)
    await get(`${path}?$filter=${name} eq 'a' or contains(${name},'a')`, {})
    await get(`${path}?$search="${name}:alpha"`, {})
    await get(path, {})
  }
}

/** Lists that need more than one kind of collection offers. */
async function more(request: Send): Promise<void> {
  const get = (path: string, headers: Readonly<Record<string, string>> = eventual) => request({ path, headers })
  await get(`/users?$filter=${'('.repeat(300)}displayName eq 'a'${')'.repeat(300)}`)
  await get('/users?$orderby=jobTitle,displayName desc')
  await get('/users?$orderby=mail,displayName desc,id')
  await get('/users?$orderby=accountEnabled,mail,displayName desc')
  await listPages(request, '/users?$orderby=jobTitle desc&$top=7', 9)
  await listPages(request, '/users?$orderby=mail&$top=25')
  await get('/users?$orderby=accountEnabled')
  await get('/users?$select=jobTitle,mail,id')
  await get('/users?$select=displayName,mail,businessPhones,jobTitle')
  await get('/groups?$select=mail,mailNickname')
  await get('/users?$filter=mail eq null&$select=id')
  await get('/users?$expand=manager,memberOf')
  await get('/users?$expand=manager($select=id,displayName)')
  await get('/users?$select=id,jobTitle&$expand=manager($select=id,displayName)')
  await get("/users?$filter=businessPhones/any(p:startsWith(p,'A'))", {})
  await get('/me/messages?$orderby=receivedDateTime,id&$top=50')
  await get('/me/messages?$orderby=from/emailAddress/address&$top=50')
  await get('/me/drive/items?$orderby=size')
  await get('/me/drive/items?$expand=children')
  await get('/me/calendar?$select=id,name,color')
  await get('/users/$count')
  await get(`/users/$count?$filter=${encodeURIComponent("mail eq 'Sales'")}`)
  await get("/users/$count?$filter=displayName eq 'no such text'")
  await get('/users/$count', {})
  const folder = text((await get('/me/drive/items?$top=1')).json, 'value', 0, 'id')
  await get(`/drive/items/${folder}/children?$expand=thumbnails`)
}

async function items(request: Send): Promise<void> {
  const get = (path: string, headers: Readonly<Record<string, string>> = eventual) => request({ path, headers })
  const user = text((await get('/users')).json, 'value', 1, 'id')
  const group = text((await get('/groups')).json, 'value', 0, 'id')
  for (const item of [
    '/me',
    '/me/manager',
    '/me/calendar',
    `/users/${user}`,
    `/groups/${group}`,
    '/users/nobody',
    `/users/'${user}'`,
  ]) {
    await get(item)
    await get(`${item}?$select=id`)
    const { headers } = await get(`${item}?$select=displayName`)
    const tag = /"etag","([^\]]*)"\]/.exec(headers)?.[1]?.replaceAll('\\"', '"') ?? 'W/"0"'
    await request({ path: item, headers: { 'If-None-Match': tag } })
    await request({ path: item, headers: { 'If-None-Match': 'W/"stale"' } })
    await request({ path: item, headers: { 'If-None-Match': `W/"stale", ${tag}` } })
    await request({ path: item, headers: { 'If-None-Match': tag.replace('W/', '') } })
    await request({ path: item, headers: { 'If-None-Match': '*' } })
    await request({ path: item, credential: undefined })
    await request({ path: item, credential: 'Bearer wrong' })
  }
  await get(`/users/${user}?$expand=manager`)
  await get('/me?$expand=manager')
  await get(`/users/${user}?$select=id&$expand=memberOf`)
  await get('/users?$search="displayName:alpha" OR "mail:a"', { ConsistencyLevel: 'eventual' })
  await get('/groups/nobody/members')
  for (const path of ['/users', '/users/$count', '/users/delta', `/groups/${group}/members`]) {
    await request({ path, credential: undefined })
    await request({ path, credential: 'Bearer wrong' })
    for (const credential of nearValid) await request({ path, credential })
  }
  await request({ path: '/users', method: 'DELETE' })
  await request({ path: '/users', method: 'HEAD' })
  await request({ path: '/users', method: 'HEAD', credential: undefined })
  await request({ path: '/users/nobody', method: 'HEAD' })
  await request({ path: '/me', headers: { 'If-None-Match': '*' }, credential: undefined })
  await request({ path: '/me', method: 'PATCH', body: '{}', credential: undefined })
  await request({ path: '/users', method: 'OPTIONS' })
  await get('/nowhere')
  await Promise.all([get('/users?$select=id'), get('/users?$top=1')])
}

async function operations(request: Send): Promise<void> {
  const group = text((await request({ path: '/groups' })).json, 'value', 3, 'id')
  const post = (path: string, body: object, credential?: string) =>
    request({ path, method: 'POST', body: JSON.stringify(body), ...(credential === undefined ? {} : { credential }) })
  const groups = await post('/me/getMemberGroups', { securityEnabledOnly: false })
  await post('/me/getMemberGroups', { securityEnabledOnly: true })
  await post('/me/getMemberGroups', {})
  await post('/me/getMemberGroups', { securityEnabledOnly: false }, 'Bearer wrong')
  const ids = member(groups.json, 'value')
  const last = Array.isArray(ids) ? ids.slice(-2) : []
  await post('/me/checkMemberObjects', { ids: [...last, group, 'nobody'] })
  await post('/me/checkMemberObjects', { ids: ['unknown', group] })
  await post('/me/checkMemberObjects', { ids: [] })
  await post('/me/checkMemberObjects', { ids: ['nobody', ...last] })
  await post('/me/checkMemberObjects', { ids: Array.from({ length: 21 }, () => 'x') })
  for (const [from, to] of [
    ['2026-03-01T10:00:00Z', '2026-03-02T10:00:00Z'],
    ['2026-03-01T10:00:01Z', '2026-03-01T10:00:01Z'],
    ['2999-01-01T00:00:00Z', '1901-01-01T00:00:00Z'],
    ['1901-01-01T00:00:00Z', '2999-01-01T00:00:00Z'],
  ]) {
    await request({ path: `/me/reminderView(startDateTime='${from}',endDateTime='${to}')` })
  }
  await request({ path: "/me/reminderView(startDateTime='',endDateTime='x')" })
  await request({ path: "/me/reminderView(startDateTime='2026-03-01T10:00:00Z')" })
  const window = "startDateTime='2026-03-01T10:00:00Z',endDateTime='2026-03-02T10:00:00Z'"
  await request({ path: `/me/reminderView(${window})`, credential: undefined })
}

async function delta(request: Send): Promise<void> {
  await request({ path: '/users/delta' })
  const first = await request({ path: '/users/delta?$select=displayName,jobTitle' })
  await request({ path: '/users/delta?$top=3' })
  const counted = { path: "/users/$count?$filter=displayName eq 'Changed'", headers: eventual }
  await request(counted)
  await request({ path: '/groups?$expand=members' })
  await request({ path: '/me', method: 'PATCH', body: '{"displayName":"Changed"}' })
  await request(counted)
  await request({ path: '/me', method: 'PATCH', body: '{"jobTitle":"Changed"}' })
  await request({ path: '/me', method: 'PATCH', body: '{"jobTitle":"Else"}', headers: { 'If-Match': 'W/"stale"' } })
  await request({ path: '/me', method: 'PATCH', body: '{"jobTitle":"New","department":"New","officeLocation":"New"}' })
  await request({ path: '/groups?$expand=members' })
  await request({ path: '/users?$search="jobTitle:New"', headers: eventual })
  await request({ path: '/users?$search="displayName:Changed"', headers: eventual })
  await request({ path: '/me', method: 'PATCH', body: '{"jobTitle":null}' })
  await request({ path: '/users?$filter=jobTitle eq null&$select=id' })
  const link = member(first.json, '@odata.deltaLink')
  if (typeof link === 'string') await request({ path: link })
  if (typeof link === 'string') await request({ path: link })
  await request({ path: '/users/delta?$deltatoken=nonsense' })
}

async function mail(request: Send): Promise<void> {
  const taken = text((await request({ path: '/groups' })).json, 'value', 0, 'mailNickname')
  const group = { displayName: 'x', mailEnabled: false, securityEnabled: true, mailNickname: taken }
  await request({ method: 'POST', path: '/groups', body: JSON.stringify({ ...group, mailNickname: 'AnotherName' }) })
  await request({ method: 'POST', path: '/groups', body: JSON.stringify(group) })
  const body = {
    subject: 'Ärger + & <b>😀</b> ',
    body: { contentType: 'html', content: '<p>Hi & bye</p>' },
    toRecipients: [{ emailAddress: { address: 'a@b.example', name: null } }],
    categories: ['one', 'more'],
  }
  await request({ method: 'POST', path: '/me/messages', body: '{"subject":"Cut' })
  const lines = { subject: 'lineword', body: { contentType: 'text', content: 'One\nTwo' } }
  const made = await request({ method: 'POST', path: '/me/messages', body: JSON.stringify(lines) })
  const inChunks = { 'Transfer-Encoding': 'chunked' }
  await request({ method: 'POST', path: '/me/messages', headers: inChunks, body: '{"subject":"Chunked"}' })
  const search = { path: '/me/messages?$search="subject:lineword"', headers: eventual }
  await request(search)
  await request({ path: '/me/messages?$count=true&$top=1' })
  await request({ method: 'PATCH', path: `/me/messages/${text(made.json, 'id')}`, body: '{"subject":"otherword"}' })
  await request(search)
  await request({ method: 'PATCH', path: `/me/messages/${text(made.json, 'id')}`, body: '{"subject":"lineword"}' })
  await request({ method: 'DELETE', path: `/me/messages/${text(made.json, 'id')}` })
  await request(search)
  await request({ method: 'POST', path: '/me/messages', body: '{"isRead":false,"body":{"content":""}}' })
  const long = { subject: 'Long', body: { contentType: 'text', content: 'longer '.repeat(700) } }
  await request({ method: 'POST', path: '/me/messages', body: JSON.stringify(long) })
  await request({ method: 'POST', path: '/me/messages', body: '{"subject":"Without a body"}' })
  const write = (method: string, path: string, json: unknown, headers: Readonly<Record<string, string>> = {}) =>
    request({ method, path, headers, ...(json === undefined ? {} : { body: JSON.stringify(json) }) })
  await Promise.all([write('POST', '/me/messages', body), write('POST', '/me/messages', body)])
  await request({ path: '/me/messages?$top=100' })
  const [removed, kept] = [await write('POST', '/me/messages', body), await write('POST', '/me/messages', body)]
  await request({ method: 'POST', path: '/me/messages', body: '{"subject":"Plain"}' })
  await write('DELETE', `/me/messages/${text(removed.json, 'id')}`, undefined)
  await request({ path: `/me/messages/${text(kept.json, 'id')}` })
  const coded = await write('POST', '/me/messages', { ...body, subject: 'Half of it, or 50%41' })
  await write('PATCH', `/me/messages/${text(kept.json, 'id')}`, { importance: 'low' })
  await request({ path: `/me/messages/${text(coded.json, 'id')}` })
  await write('PATCH', `/me/messages/${text(coded.json, 'id')}`, { id: 'another' })
  const anonymous = { path: `/me/messages/${text(kept.json, 'id')}`, credential: undefined }
  await request({ ...anonymous, method: 'PATCH', body: '{"importance":"high"}' })
  await request({ method: 'POST', path: '/me/messages', credential: undefined, body: '{"subject":"Unsigned"}' })
  await request({ path: '/me/messages?$top=100' })
  await request({ path: anonymous.path })
  await request({ ...anonymous, method: 'DELETE' })
  await request({ path: `/me/messages/${text(kept.json, 'id')}` })
  for (let round = 0; round < 3; round++) {
    const generated = await write('POST', '/me/messages', body)
    const id = text(generated.json, 'id')
    const path = `/me/messages/${id}`
    await request({ path })
    await request({ path: '/me/messages?$top=100' })
    await request({ path, headers: { Prefer: 'body-content-type="text"' } })
    await request({ path: '/me/messages?$top=100', headers: { Prefer: 'body-content-type="text"' } })
    for (const query of ['$top=100&$select=id,body', '$skiptoken=2', '$skiptoken=4'])
      await request({ path: `/me/messages?${query}`, headers: { Prefer: 'body-content-type="text"' } })
    await request({
      path: '/me/messages?$top=100',
      headers: { Prefer: 'return=representation, body-content-type="text"' },
    })
    await write('PATCH', path, { subject: 'Changed', categories: ['two'], isRead: false })
    await request({ path })
    for (const isRead of [true, false]) {
      await write('PATCH', path, { isRead })
      await request({ path })
    }
    await write('PATCH', path, { subject: '' })
    await write('PATCH', path, { subject: null })
    await write('PATCH', path, { body: { content: '<p>New</p>' } })
    await write('PATCH', path, { subject: 'Typed' }, { 'Content-Type': 'application/json; charset=utf-8' })
    await write('PATCH', path, { importance: 'high' }, { 'If-Match': 'W/"stale"' })
    await write('PATCH', path, { importance: 'low' }, { Prefer: 'body-content-type="text"' })
    await request({ path })
    await request({ path })
    await write('PATCH', path, { importance: 'high' }, { 'If-Match': '*' })
    const tag = text((await request({ path })).json, '@odata.etag')
    await write('PATCH', path, { importance: 'low' }, { 'If-Match': tag })
    await request({ path, headers: { 'If-None-Match': tag } })
    const other = text((await request({ path: '/me' })).json, '@odata.etag')
    await write('PATCH', path, { importance: 'low' }, { 'If-Match': other })
    const now = text((await request({ path })).json, '@odata.etag')
    await write('PATCH', path, { importance: 'low' }, { 'If-Match': `W/"stale", ${now}` })
    const then = text((await request({ path })).json, '@odata.etag')
    await write('PATCH', path, { importance: 'low' }, { 'If-Match': `${then}, W/"stale"` })
    await write('PATCH', path, { body: { contentType: 'text', content: 'a <b> c' } })
    await request({ path, headers: { Prefer: 'body-content-type="text"' } })
    await write('PATCH', path, { nonsense: 1 })
    await request({ method: 'PATCH', path, body: '{' })
    await request({ path: '/me/messages?$top=100' })
    await write('DELETE', path, undefined, { 'If-Match': 'W/"stale"' })
    await write('DELETE', path, undefined)
    await request({ path: "/me/messages?$filter=importance eq 'low'&$count=true&$top=100", headers: eventual })
    await request({ path })
    await write('PATCH', path, { subject: 'x' })
    await write('DELETE', path, undefined)
    await request({ path: '/me/messages?$top=100' })
  }
}
