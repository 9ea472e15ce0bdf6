import type { Preference, ReadEndpoint } from '../../../spec/language/index.js'
import { permittedValues } from '../../choices/choices.js'
import { itemEndpointOf, keyOf, onePerEndpoint, type Site, siteOf } from '../../discover/site.js'
import type { TestResponse } from '../../http/message.js'
import { isRow, type Row } from '../../json.js'
import { leafValue, mayHideValues, selectItems } from '../../lists/properties.js'
import { describeDifference, isPlainText, rowDifferences } from '../../lists/values.js'
import { readRequest } from '../../rule/query-request.js'
import { describeResponse, inconclusiveVerdict, isRejection } from '../../rule/response.js'
import type { ActiveRule } from '../../rule/rule.js'
import { type Finding, failure, type Verdict } from '../../rule/verdict.js'
import { pageOf, type Session } from '../../session/session.js'

export const preferenceHonoured: ActiveRule = {
  kind: 'active',
  id: 'preference-honoured',
  area: 'preferences',
  statement:
    'A preference is applied wherever the service says so, and changes nothing else. What a plain read honours, the other pages of the list, a read with $select and one with several preferences honour, too.',
  advice:
    'Apply a preference where you create the JSON of an item, not in one route. Read every preference of the header, in any order. Send Preference-Applied only if you have applied it.',
  aspects: ['preference'],
  covers: ['prefer'],
  severity: 'should',
  writes: false,
  cost: 6,
  weight: 10,
  sites: ({ sites, service }) => {
    return onePerEndpoint(sites).filter(site => {
      const hasItem = itemEndpointOf(site, service)?.preferences.some(({ property }) => property !== undefined) === true
      return hasItem && site.endpoint.preferences.some(({ property }) => property !== undefined)
    })
  },
  cases: (site, session) => {
    const rows = session.snapshot(site)?.rows ?? []
    const planned = site.endpoint.preferences.flatMap(preference =>
      preference.values.flatMap(value => {
        const row = rows
          .filter(each => isDistinguishing(each, preference, value))
          .toSorted((a, b) => markup(b, preference) - markup(a, preference))[0]
        const key = row === undefined || site.type === undefined ? undefined : keyOf(row, site.type)
        return key === undefined ? [] : [{ name: preference.name, text: value, key }]
      }),
    )
    const [first, ...others] = planned
    return first === undefined
      ? { skipReason: 'every item already has the preferred form' }
      : { planned: [first, { ...first, variant: inOtherReads }, ...others] }
  },
  check: async ({ name, text: value = '', key = '', variant }, site, session) => {
    const preference = site.endpoint.preferences.find(each => each.name === name)
    const row = session.snapshot(site)?.byKey.get(key)
    const endpoint = itemEndpointOf(site, session.service)
    const item = endpoint === undefined || row === undefined ? undefined : siteOf(endpoint, { site, row })
    if (preference === undefined || row === undefined || item === undefined) {
      return { kind: 'inconclusive', why: 'the item is no longer in the list' }
    }
    const headers = { prefer: `${preference.name}="${value}"` }
    if (variant === inOtherReads) return checkOtherReads(item, { preference, value, site, session })
    const one = await session.send({ method: 'GET', path: item.path, headers })
    const list = await session.send({ method: 'GET', path: site.path, headers })
    const inconclusive = inconclusiveVerdict(one) ?? inconclusiveVerdict(list)
    if (inconclusive !== undefined) return inconclusive
    if (isRejection(one, session) && isRejection(list, session)) return { kind: 'unsupported', constructs: ['prefer'] }
    const page = pageOf(list)
    if (one.status !== 200 || !isRow(one.json) || page === undefined) {
      return failure(rejectionFinding(one.status === 200 ? list : one, headers.prefer))
    }
    const finding = findingIn(one, one.json, list, page.rows, { preference, value, site, session })
    if (finding !== undefined) return failure(finding)
    const tested = { preference, value, site, session }
    const kept = (await keptFinding(item, endpoint, tested)) ?? (await followedFinding(item, tested))
    if (kept !== undefined) return failure(kept)
    return { kind: 'pass', vacuous: !hasPreferred(one.json, preference, value) }
  },
}

const inOtherReads = 'in other reads'

interface TestedPreference {
  readonly preference: Preference
  readonly value: string
  readonly site: Site
  readonly session: Session
}

function findingIn(
  one: TestResponse,
  item: Row,
  list: TestResponse,
  rows: readonly Row[],
  test: TestedPreference,
): Finding | undefined {
  const { preference, value, site, session } = test
  const features = [`prefer.${preference.name}`]
  const snapshot = session.snapshot(site)
  const isHonoured = hasPreferred(item, preference, value)
  const listed = rows.flatMap(row => pairOf(row, snapshot?.byKey, site))
  const converted = listed.filter(({ before }) => isDistinguishing(before, preference, value))
  // A service may ignore a preference anywhere, but it must not claim to have applied it. RFC 7240, 2 and 3
  const ignored = converted.find(({ after }) => !hasPreferred(after, preference, value))?.after
  const claims: readonly (readonly [TestResponse, Row | undefined])[] = [
    [one, isHonoured ? undefined : item],
    [list, ignored],
  ]
  for (const [response, unchanged] of claims) {
    if (unchanged === undefined || !isClaimed(response, preference, value)) continue
    return {
      message: `Preference-Applied names ${preference.name}, but ${preference.property} is not "${value}".`,
      expected: `${preference.property} is "${value}"`,
      received: `${JSON.stringify(shownValue(unchanged, preference))}, Preference-Applied: ${response.headers['preference-applied']}`,
      answers: [response],
      features: [...features, 'claimed'],
    }
  }
  const [changed] = preference.property?.split('/') ?? []
  for (const { before, after, key } of [...pairOf(item, snapshot?.byKey, site), ...listed]) {
    const damage = damageTo(before, after, preference, value, site, session)
    if (damage !== undefined) {
      return {
        message: `Prefer: ${preference.name}="${value}" damages an item: ${damage}.`,
        expected: `${preference.property} is "${value}" or unchanged, and everything else is present`,
        received: JSON.stringify(after),
        surplus: [key],
        answers: [list, one],
        features: [...features, 'spoilt'],
      }
    }
    const differences =
      site.type === undefined
        ? []
        : rowDifferences(before, after, site.type, session.service, { mayBeNull: mayHideValues(session) })
    const other = differences.filter(({ property }) => property.name !== changed)
    if (other.length === 0) continue
    return {
      message: `Prefer: ${preference.name}="${value}" also changes other properties.`,
      expected: `only ${changed} differs from the item without the preference`,
      received: other.map(({ property }) => property.name).join(', '),
      why: other.map(difference => describeDifference(difference, 'without', 'with the preference')),
      surplus: [key],
      answers: [list, one],
      features: [...features, 'others'],
    }
  }
  return undefined
}

/**
 * A finding if a read without the preference shows the preferred form since a read with it, while another item still has the form
 * that the list shows of both. Reading changes nothing.
 */
async function keptFinding(
  item: Site,
  endpoint: ReadEndpoint | undefined,
  { preference, value, site, session }: TestedPreference,
): Promise<Finding | undefined> {
  const other = session.snapshot(site)?.rows.findLast(row => isDistinguishing(row, preference, value))
  const control = other && endpoint && siteOf(endpoint, { site, row: other })
  if (control === undefined || control.path === item.path) return undefined
  // The header makes it a read of its own: what an earlier check has read says nothing of the state now.
  const again = await session.send({ method: 'GET', path: item.path, headers: { 'cache-control': 'no-cache' } })
  const unread = await session.send({ method: 'GET', path: control.path })
  const [after, before] = [again, unread].map(({ status, json }) => (status === 200 && isRow(json) ? json : undefined))
  if (after === undefined || before === undefined) return undefined
  if (!hasPreferred(after, preference, value) || !isDistinguishing(before, preference, value)) return undefined
  return {
    message: `After a read with Prefer: ${preference.name}="${value}", a read without it shows ${preference.property} as "${value}", too.`,
    expected: `${preference.property}: ${JSON.stringify(shownValue(before, preference))}, as in the list`,
    received: `${preference.property}: ${JSON.stringify(shownValue(after, preference))}`,
    answers: [again, unread],
    features: [`prefer.${preference.name}`, 'kept'],
  }
}

/**
 * A finding if reads without the preference show what the last read before preferred. What they show may be any form, but it
 * does not depend on other requests.
 */
async function followedFinding(
  item: Site,
  { preference, value, session }: TestedPreference,
): Promise<Finding | undefined> {
  const { name, values, property } = preference
  const other = values.find(each => each !== value)
  if (other === undefined) return undefined
  const answers: TestResponse[] = []
  for (const preferred of [value, other]) {
    await session.send({ method: 'GET', path: item.path, headers: { prefer: `${name}="${preferred}"` } })
    const plain = await session.send({
      method: 'GET',
      path: item.path,
      headers: { 'cache-control': `max-age=${answers.length}` },
    })
    if (plain.status !== 200 || !isRow(plain.json) || !hasPreferred(plain.json, preference, preferred)) return undefined
    answers.push(plain)
  }
  return {
    message: `A read without Prefer: ${name} shows ${property} as the read before it preferred.`,
    expected: `the same form of ${property} after Prefer: ${name}="${value}" as after Prefer: ${name}="${other}"`,
    received: `first "${value}", and then "${other}"`,
    answers,
    features: [`prefer.${name}`, 'kept'],
  }
}

/**
 * A service may ignore a preference. If it honours one in a plain read, but not in another read of the same resource, it
 * contradicts itself.
 */
async function checkOtherReads(item: Site, test: TestedPreference): Promise<Verdict> {
  const { preference, value, site, session } = test
  const prefer = `${preference.name}="${value}"`
  const one = await session.send({ method: 'GET', path: item.path, headers: { prefer } })
  const inconclusive = inconclusiveVerdict(one)
  if (inconclusive !== undefined) return inconclusive
  if (one.status === 200 && isRow(one.json) && isDistinguishing(one.json, preference, value)) {
    // A value means the same with quotes and without them. RFC 7240, 2
    const unquoted = { prefer: `${preference.name}=${value}` }
    const bare = await session.send({ method: 'GET', path: item.path, headers: unquoted })
    if (bare.status === 200 && isRow(bare.json) && hasPreferred(bare.json, preference, value))
      return failure(contradiction(one, bare, one.json, 'in quotes', test))
  }
  if (one.status === 200 && isRow(one.json) && hasPreferred(one.json, preference, value)) {
    // The order of preferences means nothing, and what a service does not know, it ignores. RFC 7240, 2
    const among = { prefer: `return=representation, ${prefer}` }
    const listed = await session.send({ method: 'GET', path: item.path, headers: among })
    const selected = await selectedRead(item, test)
    for (const [response, what] of [
      [listed, 'if it is not the first of several'],
      [selected, 'together with $select'],
    ] as const) {
      if (response?.status !== 200 || !isRow(response.json) || !isDistinguishing(response.json, preference, value))
        continue
      return failure(contradiction(response, one, response.json, what, test))
    }
  }
  const { pages } = await session.list({ method: 'GET', path: site.path, headers: { prefer } }, { pages: maxPages })
  const [first, ...later] = pages
  const rows = first === undefined ? [] : (pageOf(first)?.rows ?? [])
  const byKey = session.snapshot(site)?.byKey
  const converted = rows.flatMap(row =>
    pairOf(row, byKey, site).filter(({ before }) => isDistinguishing(before, preference, value)),
  )
  const isHonoured = converted.length > 0 && converted.every(({ after }) => hasPreferred(after, preference, value))
  if (first === undefined || !isHonoured) return { kind: 'pass', vacuous: true }
  const others = [
    ...later.map(page => [page, 'from the second page on'] as const),
    [await selectedRead(site, test), 'together with $select'] as const,
  ]
  for (const [response, what] of others) {
    const ignored = response && pageOf(response)?.rows.find(row => isDistinguishing(row, preference, value))
    if (response !== undefined && ignored !== undefined)
      return failure(contradiction(response, first, ignored, what, test))
  }
  return { kind: 'pass' }
}

/** Later pages are all read in the same way. */
const maxPages = 3

/** A read that selects what the preference is about. Undefined if the endpoint has no `$select`. */
async function selectedRead(
  of: Site,
  { preference, value, session }: TestedPreference,
): Promise<TestResponse | undefined> {
  const [outer = ''] = preference.property?.split('/') ?? []
  const { endpoint } = of
  if (!('query' in endpoint) || endpoint.query === undefined || endpoint.query.select === 'none') return undefined
  const select = selectItems([...(of.type?.key ?? []).map(({ name }) => name), outer])
  return session.send(readRequest(of, { select }, { prefer: `${preference.name}="${value}"` }))
}

function contradiction(
  response: TestResponse,
  honoured: TestResponse,
  row: Row,
  what: string,
  { preference, value }: TestedPreference,
): Finding {
  const { name, property } = preference
  return {
    message: `A read ignores Prefer: ${name}="${value}" ${what}.`,
    expected: `${property} is "${value}", as in the other read with the preference`,
    received: `${property}: ${JSON.stringify(shownValue(row, preference))}`,
    answers: [honoured, response],
    features: [`prefer.${name}`, 'contradiction', what],
  }
}

/** Damage that a preference must not do: change an item away from the preferred form, empty it, or hide properties. */
function damageTo(
  before: Row,
  after: Row,
  preference: Preference,
  value: string,
  { type }: Site,
  session: Session,
): string | undefined {
  const [outer = '', ...inner] = preference.property?.split('/') ?? []
  const shown = shownValue(after, preference)
  if (hasPreferred(before, preference, value) && shown !== undefined && shown !== value)
    return 'it had the preferred form and lost it'
  const [old, now] = [before[outer], after[outer]]
  if (inner.length > 0 && isRow(old) && isRow(now)) {
    const emptied = Object.keys(old).find(name => {
      return (
        typeof old[name] === 'string' &&
        /[\p{L}\p{N}]/u.test(old[name].replaceAll(/<[^>]*>/g, '')) &&
        isEmpty(now[name])
      )
    })
    if (emptied !== undefined) return `${outer}/${emptied} is empty`
    if (isPlainText(value) && hasPreferred(before, preference, value) && shown === value) {
      const changed = Object.keys(old).find(
        name => typeof now[name] === 'string' && letters(old[name]) !== letters(now[name]),
      )
      if (changed !== undefined) return `${outer}/${changed} was text and is another one`
    }
    const isText =
      isPlainText(value) && hasPreferred(after, preference, value) && shownValue(before, preference) !== value
    const marked = isText && Object.keys(old).find(name => hasElement(old[name]) && now[name] === old[name])
    if (typeof marked === 'string') return `${outer}/${marked} is still HTML`
    const written = isText && Object.keys(old).find(name => hasKeptEntity(old[name], now[name]))
    if (typeof written === 'string') return `${outer}/${written} still has entities of HTML`
  }
  if (type === undefined || !permittedValues(session, 'defaultProjection', 'all').isOnly('all')) return undefined
  const hidden = type.properties.find(({ name, returned }) => {
    return returned !== 'onSelect' && !isEmpty(before[name]) && !Object.hasOwn(after, name)
  })
  return hidden === undefined ? undefined : `${hidden.name} is missing`
}

/** A text without its spaces and punctuation: layout may differ. */
function letters(text: unknown): string {
  return typeof text === 'string' ? text.replaceAll(/[^\p{L}\p{N}]/gu, '') : ''
}

/** Whether a text has an HTML element that is closed. */
function hasElement(value: unknown): boolean {
  return typeof value === 'string' && /<([a-z]{1,10})(?: [^<>]*)?>[^<>]*<\/\1>/i.test(value)
}

/** How much an item has that a conversion of HTML must change: elements, and entities. */
function markup(row: Row, { property }: Preference): number {
  const [outer = ''] = property?.split('/') ?? []
  const value = row[outer]
  const texts = isRow(value) ? Object.values(value) : []
  return Number(texts.some(hasElement)) + Number(texts.some(text => typeof text === 'string' && text.match(entity)))
}

const entity = /&(?:amp|lt|gt|quot|nbsp|#\d{1,6}|#x[\da-f]{1,6});/gi

/** Whether a text has an entity that the HTML has, too. There, an ampersand that belongs to the text is an entity itself. */
function hasKeptEntity(html: unknown, text: unknown): boolean {
  if (typeof html !== 'string' || typeof text !== 'string' || /&amp;(?:#?\w{1,8};)/i.test(html)) return false
  const known = new Set(html.match(entity) ?? [])
  return (text.match(entity) ?? []).some(each => known.has(each))
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}

function pairOf(
  after: Row,
  byKey: ReadonlyMap<string, Row> | undefined,
  { type }: Site,
): readonly { readonly before: Row; readonly after: Row; readonly key: string }[] {
  const key = type === undefined ? undefined : keyOf(after, type)
  const before = key === undefined ? undefined : byKey?.get(key)
  return before === undefined || key === undefined ? [] : [{ before, after, key }]
}

function rejectionFinding(response: TestResponse, prefer: string): Finding {
  return {
    message: `A read with Prefer: ${prefer} got status ${response.status}.`,
    expected: 'status 200: a service may ignore a preference, but must not reject it on only one endpoint',
    received: describeResponse(response),
    answers: [response],
    features: ['prefer', 'refused'],
  }
}

function isClaimed({ headers }: TestResponse, { name }: Preference, value: string): boolean {
  const applied = (headers['preference-applied'] ?? '').toLowerCase()
  return applied.includes(name.toLowerCase()) && applied.includes(value.toLowerCase())
}

function shownValue(row: Row, { property }: Preference): unknown {
  return property === undefined ? undefined : leafValue(row, property.split('/'))
}

function hasPreferred(row: Row, preference: Preference, value: string): boolean {
  return shownValue(row, preference) === value
}

/** Whether an item can show that the preference was honoured. */
function isDistinguishing(row: Row, preference: Preference, value: string): boolean {
  const shown = shownValue(row, preference)
  return typeof shown === 'string' && shown !== value && preference.values.includes(shown)
}
