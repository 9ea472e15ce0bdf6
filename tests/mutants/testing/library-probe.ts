import { vi } from 'vitest'
import { functionsWith } from '../../../runtime/query/index.js'
import { member, type Probes, type Send, text } from './probe.js'

const filters = [
  "title eq 'Alpha'",
  "language in ('en','Sales','100% sure')",
  "genres has library.genre'fiction'",
  "genres has library.genre'fiction,history'",
  "genres has library.genre'history,science'",
  'pages add 1 gt 10',
  'pages sub 5 lt 0',
  'pages div 2 eq 1',
  'pages mod 3 eq 1',
  'price mul 2 gt 50',
  "indexof(title,'l') eq 1",
  "concat(title,'!') eq 'Alpha!'",
  "substring(title,1) eq 'lpha'",
  "toupper(title) eq 'ALPHA'",
  "trim(title) eq 'Alpha'",
  'year(published) eq 2024',
  'month(published) eq 3',
  'round(price) eq 10',
  'ceiling(price) eq 10',
  'round(dewey) eq 3',
  'ceiling(dewey) eq 100',
  'ceiling(rating) eq 4',
  'floor(rating) eq 4',
  "keywords/all(k:k ne 'a+b')",
  "keywords/any(k:k eq 'a+b')",
  "keywords/all(k:startswith(k,'a'))",
  "startswith(title,'A')",
  '$it/library.isOfLength(from=1,to=200)',
  '$it/library.isOfLength(from=12,to=5000)',
  '$it/library.isOfLength(from=100,to=1)',
  'hassubset(keywords,["a+b"])',
  'hassubset(keywords,["Emile","a+b"])',
  'hassubset(keywords,["Emile","xzy"])',
  'hassubsequence(keywords,["a+b","Emile"])',
  'hassubsequence(keywords,["Emile","a+b"])',
  'hassubsequence(keywords,["Alpha ","<b>bold</b>"])',
  "cast(pages,Edm.String) eq '12'",
  'cast(pages,Edm.Byte) eq null',
  'cast(title,Edm.Int32) eq null',
  'isof(title,Edm.Int32)',
  "library.audiobook/narrator eq ''",
  'library.audiobook/narrator ne null',
  'isof(library.book)',
  'isof(library.audiobook)',
  "case(title eq 'Alpha':1,true:2) eq 1",
  "case(title eq 'Alpha':1,true:2) eq 2",
  "case(language ne 'en':1,title ne 'Alpha':2) eq 1",
  'added gt mindatetime()',
  'added lt maxdatetime()',
  'totaloffsetminutes(added) eq 0',
  ...functionsWith(['Edm.String'], 'Edm.String').map(name => `${name}(title) ne title`),
  ...functionsWith(['Edm.String'], 'Edm.Int32').flatMap(name => [0, 1, 5].map(count => `${name}(title) eq ${count}`)),
]

/** Exercises what the Library spec declares beyond the Directory spec. */
export const libraryProbes: Probes = { lists, changes, filters: everyFilter }

async function everyFilter(request: Send): Promise<void> {
  for (const filter of filters)
    await request({ path: `/books?$filter=${encodeURIComponent(filter)}&$top=8&$count=true` })
}

async function lists(request: Send): Promise<void> {
  const get = (path: string) => request({ path })
  const list = async (path: string): Promise<void> => {
    let next: unknown = path
    for (let page = 0; page < 4 && typeof next === 'string'; page++) {
      const { json } = await get(next)
      next = member(json, '@odata.nextLink')
    }
  }
  await list('/books')
  await request({ path: '/books?$select=title', headers: { prefer: 'odata.track-changes' } })
  await request({ path: '/books', headers: { prefer: 'odata.track-changes, odata.maxpagesize=2' } })
  for (const omitted of ['nulls', 'defaults']) {
    for (const set of ['books', 'authors'])
      await request({ path: `/${set}?$top=20`, headers: { prefer: `omit-values=${omitted}` } })
  }
  await request({ path: '/branches', headers: { prefer: 'respond-async' } })
  await get('/$async/1')
  await get('/$async/1')
  await list('/books?$top=55')
  const audiobooks = await get('/books/library.audiobook')
  await get(`/books/${text(audiobooks.json, 'value', 0, 'isbn')}/library.audiobook/narrator`)
  await get(`/books/${text((await get('/books')).json, 'value', 5, 'isbn').slice(0, -2)}`)
  for (const query of [
    '$apply=aggregate($count as n,minimumAge with average as a,minimumAge with max as m,minimumAge with countdistinct as d)',
    '$apply=filter(pages gt 99999)/aggregate($count as n,pages with sum as s)',
    '$apply=groupby((minimumAge),aggregate($count as n))',
    '$apply=groupby((minimumAge,language),aggregate($count as n))&$filter=n gt 1&$orderby=n desc',
    '$apply=groupby((rollup(language,minimumAge)),aggregate($count as n))',
    '$apply=concat(groupby((language)),aggregate($count as n))',
    '$apply=groupby((pages),aggregate($count as n))&$orderby=pages desc',
    '$apply=topcount(1,pages)',
    '$compute=pages mul 2 as twice&$top=3',
    '$top=5&$skip=3',
    '$top=3',
    '$select=edition/number',
    '$select=edition($select=number)',
    '$select=*',
    '$search=alpha beta',
    '$search=alpha AND beta',
    '$search=NOT alpha&$count=true',
    '$search=alpha&$count=true&$top=2',
    '$expand=copies($top=1;$orderby=number desc;$count=true)',
    '$expand=copies($skip=1)',
    '$expand=authors($filter=active eq true),reviews($filter=stars gt 2;$orderby=stars desc;$top=2)',
    '$expand=reviews($top=1)',
    '$expand=reviews($orderby=stars desc)',
    '$expand=reviews($skip=1)',
    '$expand=sequels($expand=sequels)',
    '$expand=*',
    '$expand=prequel($levels=2)',
  ]) {
    await get(`/books?${query}`)
  }
  const books = await get('/books')
  for (const row of [0, 1, 2, 3, 4, 5, 6, 7]) {
    for (const name of ['title', 'keywords', 'authors/$ref'])
      await get(`/books/${text(books.json, 'value', row, 'isbn')}/${name}`)
  }
  const branches = await get('/branches')
  for (const row of [0, 1]) await get(`/branches/${text(branches.json, 'value', row, 'code')}/allSubBranches()`)
  const photos = await get('/photos')
  await get(`/photos/${text(photos.json, 'value', 0, 'id')}/$value`)
  const members = await get('/members')
  const id = text(members.json, 'value', 0, 'id')
  await get(`/members/${id}/loansBetween(from=2020-01-01,to=2027-01-01)`)
  await get(`/members(cardNumber='${text(members.json, 'value', 1, 'cardNumber')}')`)
  await get(`/members(cardNumber='none')`)
  await get(`/members/${id}/loansBetween(from=2026-03-01,to=2026-03-01)`)
}

async function changes(request: Send): Promise<void> {
  const isbn = text((await request({ path: '/books' })).json, 'value', 5, 'isbn')
  const write = (method: string, path: string, json: unknown, headers: Readonly<Record<string, string>> = {}) =>
    request({ method, path, headers, ...(json === undefined ? {} : { body: JSON.stringify(json) }) })
  const first = await request({ path: '/books/delta?$select=title' })
  const round = text(first.json, '@odata.nextLink')
  const last = await request({ path: round })
  const link = text(last.json, '@odata.deltaLink')
  const generated = { isbn: '9780000000999', title: 'Made', subtitle: 'Sub', pages: 12 }
  await write('POST', '/books', generated)
  await write('POST', '/books', generated)
  await write('POST', '/books', { ...generated, isbn })
  const path = `/books/${generated.isbn}`
  for (const beyond of [
    { title: '' },
    { isbn: 'none' },
    { pages: 0 },
    { keywords: Array.from({ length: 21 }, () => 'x') },
    { title: null },
    { genres: 'noSuchMember' },
  ]) {
    await write('POST', '/books', { ...generated, isbn: '9780000000998', ...beyond })
  }
  await request({ path: link })
  await write('PATCH', path, { title: 'Unconditional' })
  await write('PUT', path, { title: 'Put' }, { 'If-Match': '*' })
  const put = await request({ path })
  const tag = text(put.json, '@odata.etag')
  await request({ path, headers: { 'If-None-Match': tag } })
  await request({ path, headers: { 'If-None-Match': tag.startsWith('W/') ? tag.slice(2) : `W/${tag}` } })
  await write('PATCH', path, { subtitle: 'Set' }, { 'If-Match': '*' })
  for (const body of [
    { reviews: [{ stars: 1 }, { stars: 2 }] },
    { reviews: [{ stars: 3 }] },
    { 'reviews@odata.delta': [{ stars: 4 }] },
  ]) {
    await write('PATCH', path, body, { 'If-Match': '*' })
    await request({ path: `${path}/reviews?$select=stars` })
  }
  await write('PUT', path, { title: 'Put', subtitle: 'Set', reviews: [{ stars: 5 }] }, { 'If-Match': '*' })
  await request({ path: `${path}/reviews?$select=stars` })
  const reviews = await request({ path: `${path}/reviews` })
  const number = Number(text(reviews.json, 'value', 0, 'number'))
  await write('PATCH', path, { 'reviews@odata.delta': [{ number, '@removed': {} }] }, { 'If-Match': '*' })
  await request({ path: `${path}/reviews?$select=stars` })
  const audiobook = { '@odata.type': '#library.audiobook', narrator: 'Ada' }
  await write('PATCH', path, audiobook, { 'If-Match': '*' })
  // The clock stands still, so that two services return the same.
  const now = Date.now()
  if (vi.isFakeTimers()) vi.setSystemTime(now + 60_000)
  try {
    await write('PATCH', path, { title: 'Patched', subtitle: null }, { 'If-Match': '*' })
    for (const operator of ['gt', 'eq']) {
      await request({
        path: `/books?$filter=${encodeURIComponent(`isbn eq '${generated.isbn}' and revised ${operator} added`)}`,
      })
    }
  } finally {
    // A probe also ends at the first difference.
    if (vi.isFakeTimers()) vi.setSystemTime(now)
  }
  await request({ path: link })
  await write('DELETE', path, undefined, { 'If-Match': '*' })
  await request({ path: link })
  for (const body of ['<svg/>', '<svg width="1"/>']) {
    await request({ method: 'PUT', path: `/books/${isbn}/cover`, body, headers: { 'content-type': 'image/svg+xml' } })
    await request({ path: `/books/${isbn}/cover` })
  }
  const author = `/authors/${text((await request({ path: '/authors' })).json, 'value', 0, 'id')}`
  await write('PATCH', author, { name: { given: 'Ada' } })
  await request({ path: author })
  for (const method of ['PUT', 'PATCH']) {
    const { isbn: _, ...values } = generated
    await write(method, path, values, { 'If-Match': '*' })
    await write(method, path, values, { 'If-None-Match': '*' })
    await request({ path })
    await write(method, path, { ...values, title: 'Changed' }, { 'If-None-Match': '*' })
    await request({ path })
    await write('DELETE', path, undefined, { 'If-Match': '*' })
  }
  await relations(request, write, generated)
  await derivedItems(request, write, generated)
}

/** An item of a derived type, created, changed and replaced. */
async function derivedItems(request: Send, write: Write, book: object): Promise<void> {
  const audiobook = { '@odata.type': '#library.audiobook', narrator: 'Ada', playingTime: 'PT1H' }
  const path = '/books/9780000000984'
  await write('POST', '/books', { ...book, isbn: path.slice('/books/'.length), ...audiobook })
  await request({ path })
  await request({ path: `/books?$filter=${encodeURIComponent("title eq 'Made'")}` })
  for (const changes of [{ title: 'Heard' }, { ...audiobook, narrator: 'Bea' }]) {
    await write('PATCH', path, changes, { 'If-Match': '*' })
    await request({ path })
  }
  await write('PUT', path, { title: 'Put', ...audiobook }, { 'If-Match': '*' })
  await request({ path })
  // The second book is no audiobook.
  for (const owner of [path, '/books/9780000000992']) {
    const link = { '@odata.id': 'books/9780000000993' }
    await write('POST', `${owner}/library.audiobook/sequels/$ref`, link, { 'If-Match': '*' })
    await request({ path: `${owner}/sequels` })
  }
}

type Write = (
  method: string,
  path: string,
  json: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<unknown>

/** Links and nested items in the body of a create, and changes of links. */
async function relations(request: Send, write: Write, book: object): Promise<void> {
  const isbns = ['9780000000991', '9780000000992', '9780000000993']
  const [owner = '', ...sequels] = isbns.map(isbn => `/books/${isbn}`)
  for (const isbn of isbns.slice(1)) await write('POST', '/books', { ...book, isbn })
  const reviews = [{ stars: 5 }, { stars: 4 }]
  const links = sequels.map(path => path.slice(1))
  await write('POST', '/books', { ...book, isbn: isbns[0], reviews, 'sequels@odata.bind': links })
  for (const name of ['reviews', 'sequels']) await request({ path: `${owner}/${name}` })
  const [first = ''] = links
  await write('DELETE', `${owner}/sequels/$ref?$id=${first}`, undefined, { 'If-Match': '*' })
  await request({ path: `${owner}/sequels` })
  for (const link of links) await write('POST', `${owner}/sequels/$ref`, { '@odata.id': link }, { 'If-Match': '*' })
  await request({ path: `${owner}/sequels` })
  await write('DELETE', `${owner}/sequels/$ref?$id=${first}`, undefined, { 'If-Match': '*' })
  await request({ path: `${owner}/sequels` })
  const [one = {}, two = {}] = links.map(link => ({ '@odata.id': link }))
  for (const body of [
    { sequels: [] },
    { sequels: [one, two] },
    { sequels: [two] },
    { 'sequels@odata.delta': [one, { ...two, '@removed': { reason: 'changed' } }] },
  ]) {
    await write('PATCH', owner, body, { 'If-Match': '*' })
    await request({ path: `${owner}/sequels` })
  }
  await write('POST', '/books', { ...book, isbn: '9780000000994', sequels: [one, two] })
  await request({ path: '/books/9780000000994/sequels' })
  const member = "/members(cardNumber='90000001')"
  const values = { name: { family: 'Made' }, contact: { email: null, phones: [] }, joined: '2026-01-01' }
  await write('PATCH', member, values, { 'If-None-Match': '*' })
  await request({ path: `${member}?$select=cardNumber,name` })
  await write('POST', `${member}/favourites/$ref`, { '@odata.id': first }, { 'If-Match': '*' })
  await write('POST', `${owner}/admirers/$ref`, { '@odata.id': member.slice(1) }, { 'If-Match': '*' })
  await request({ path: `${owner}/admirers?$select=cardNumber` })
  const filter = encodeURIComponent("cardNumber eq '90000001'")
  await request({ path: `/members?$filter=${filter}&$select=name&$expand=favourites($select=title)` })
}
