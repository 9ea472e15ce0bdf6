import type { EntityType } from '../../../spec/language/index.js'
import { itemEndpointOf, itemSiteOf, keyOf, onePerEndpoint } from '../../discover/site.js'
import type { TestRequest, TestResponse } from '../../http/message.js'
import { isRow, type Row } from '../../json.js'
import { certainFilters } from '../../lists/certain-filters.js'
import { selectItems } from '../../lists/properties.js'
import { listSites, type QuerySite, querySite } from '../../lists/related-items.js'
import { readRequest } from '../../rule/query-request.js'
import { describeResponse, inconclusiveVerdict } from '../../rule/response.js'
import type { ActiveRule } from '../../rule/rule.js'
import { type Finding, failure, type Verdict } from '../../rule/verdict.js'
import { pageOf, type Session } from '../../session/session.js'
import { isRefusal, newBody } from '../writing/accepted-body.js'
import { type CreatedItem, cannotCreate, createItem, readBack } from '../writing/created-item.js'
import { removeItem, type WriteSite, writeSite, writeSites } from '../writing/write-site.js'

/** Headers that any read may have and that change nothing. */
const variants: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'an unknown header': { 'x-specwright-unknown': '1' },
  'several media types': { accept: 'text/html;q=0.2, application/json, */*;q=0.1' },
  'any media type': { accept: '*/*' },
  'an unknown preference': { prefer: 'specwright-unknown="1"' },
}

export const harmlessHeaders: ActiveRule = {
  kind: 'active',
  id: 'harmless-headers',
  area: 'protocol',
  statement: 'Unknown headers, unknown preferences and equivalent Accept headers do not change the response.',
  advice:
    'Proxies and clients may add headers, and Accept may list media types with weights. Ignore unknown headers, and compare media types as RFC 9110, section 12.5.1, defines.',
  aspects: ['collection.read'],
  covers: ['error.notAcceptable', 'fault.notAcceptable'],
  severity: 'must',
  writes: false,
  cost: 1,
  weight: 2,
  sites: ({ sites, snapshot }) => {
    const lists = onePerEndpoint(sites).filter(({ endpoint }) => endpoint.kind === 'collection')
    // A list that fails without these headers proves nothing about them.
    const first = lists.find(site => snapshot(site) !== undefined)
    return first === undefined ? [] : [first]
  },
  cases: () => ({ planned: Object.keys(variants).map(variant => ({ variant })) }),
  check: async ({ variant = '' }, site, session) => {
    const headers = Object.hasOwn(variants, variant) ? (variants[variant] ?? {}) : {}
    const response = await session.send({ method: 'GET', path: site.path, headers })
    const inconclusive = inconclusiveVerdict(response)
    if (inconclusive !== undefined) return inconclusive
    if (response.status === 200 && isRow(response.json)) return { kind: 'pass' }
    return failure({
      message: `A list request with ${variant} fails.`,
      expected: 'status 200 with the list',
      received: describeResponse(response),
      answers: [response],
      features: ['header', variant],
    })
  },
}

/** The media type of a body with a parameter that changes nothing. */
const withCharset = 'application/json; charset=utf-8'

/** @see RFC 9110, 8.3.1 (media types); RFC 8259, 11 */
export const bodyCharset: ActiveRule = {
  kind: 'active',
  id: 'body-charset',
  area: 'protocol',
  statement: 'A body that is accepted is also accepted with `charset=utf-8` in its media type.',
  advice: 'Many clients add `charset=utf-8`: compare the media type without its parameters.',
  aspects: ['methods'],
  covers: ['endpoint.create', 'endpoint.update', 'error.unsupportedMediaType', 'fault.unsupportedMediaType'],
  severity: 'should',
  writes: true,
  cost: 5,
  weight: 5,
  sites: writeSites,
  cases: (site, session) => {
    const writable = writeSite(site, session)
    const updates = writable !== undefined && updatedName(writable) !== undefined
    return { planned: [...(updates ? [{ name: 'update' }] : []), { name: 'create' }] }
  },
  check: async ({ name }, site, session) => {
    const writable = writeSite(site, session)
    if (writable === undefined) return { kind: 'inconclusive', why: cannotCreate }
    if (name === 'create') return createWithCharset(writable, session)
    const outcome = await createItem({}, writable, session)
    if (outcome.kind === 'ended') return outcome.verdict
    try {
      return await updateWithCharset(outcome.item, writable, session)
    } finally {
      await removeItem(outcome.item.path, session)
    }
  },
}

/** The text that an update can change without conditions. */
function updatedName({ update, markProperty }: WriteSite): string | undefined {
  const isFree = update !== undefined && update.ifMatch !== 'required' && markProperty?.createOnly === false
  return isFree ? markProperty.name : undefined
}

async function createWithCharset(site: WriteSite, session: Session): Promise<Verdict> {
  const { ledger } = session
  const body = ledger?.mayCreate(site) === true ? await newBody({}, site, session) : undefined
  if (ledger === undefined || body === undefined) return { kind: 'inconclusive', why: cannotCreate }
  const stream = { mediaType: withCharset, text: JSON.stringify(body) }
  const { response, path } = await ledger.create(site, body, stream)
  if (path !== undefined) await removeItem(path, session)
  const inconclusive = inconclusiveVerdict(response)
  if (inconclusive !== undefined) return inconclusive
  if (!isRefusal(response)) return { kind: 'pass' }
  const plain = await createItem({}, site, session)
  if (plain.kind === 'ended') return { kind: 'pass', vacuous: true }
  await removeItem(plain.item.path, session)
  return refused('create', response, plain.item.response)
}

/** Sends an update with the parameter, and then the same one without, if the first one was refused. */
async function updateWithCharset({ path, expected }: CreatedItem, site: WriteSite, session: Session): Promise<Verdict> {
  const name = updatedName(site) ?? ''
  const before = expected[name]
  if (typeof before !== 'string' || !((await session.ledger?.isOwned(path)) ?? false)) {
    return { kind: 'pass', vacuous: true }
  }
  const update = (headers: Readonly<Record<string, string>>): Promise<TestResponse> =>
    session.send({ method: 'PATCH', path, headers, body: { [name]: `${before} 2` } })
  const response = await update({ 'content-type': withCharset })
  const inconclusive = inconclusiveVerdict(response)
  if (inconclusive !== undefined) return inconclusive
  if (!isRefusal(response)) return response.status < 300 ? { kind: 'pass' } : { kind: 'pass', vacuous: true }
  const plain = await update({})
  return plain.status < 300 ? refused('update', response, plain) : { kind: 'pass', vacuous: true }
}

function refused(write: 'create' | 'update', response: TestResponse, plain: TestResponse): Verdict {
  return failure({
    message: `The body of ${write === 'create' ? 'a create' : 'an update'} is refused with the parameter charset=utf-8 of the media type.`,
    expected: `the same as without: status ${plain.status}`,
    received: describeResponse(response),
    answers: [response, plain],
    features: ['body', 'charset'],
  })
}

/** @see RFC 9112, 7.1: each recipient must be able to decode chunks. It may demand the length (RFC 9110, 15.5.12). */
export const bodyChunks: ActiveRule = {
  kind: 'active',
  id: 'body-chunks',
  area: 'protocol',
  statement:
    'A body that is sent in chunks makes the same item as one that is sent as a whole. A service that accepts one chunk accepts several.',
  advice:
    'Read a body to its end, not only what has arrived first, and also without Content-Length. Clients that send a stream use `Transfer-Encoding: chunked`.',
  aspects: ['methods'],
  covers: ['endpoint.create'],
  severity: 'should',
  writes: true,
  cost: 3,
  weight: 4,
  sites: session => writeSites(session).slice(0, 2),
  cases: () => ({ planned: [{ variant: 'two chunks' }] }),
  check: async (_test, site, session) => {
    const writable = writeSite(site, session)
    if (writable === undefined) return { kind: 'inconclusive', why: cannotCreate }
    const created = await createInChunks(2, writable, session)
    if (created.kind === 'ended') return created.verdict
    const { response, wrong } = created
    if (wrong === undefined && !isRefusal(response)) return { kind: 'pass', vacuous: response.status >= 300 }
    // What happens to a body as a whole, too, is what other rules are about. A service that refuses all chunks may do so.
    const other = await createInChunks(wrong === undefined ? 1 : undefined, writable, session)
    if (other.kind === 'ended' || other.wrong !== undefined || other.response.status >= 300) {
      return { kind: 'pass', vacuous: true }
    }
    if (wrong !== undefined) return failure(wrong)
    return failure({
      message: 'A create whose body is sent in two chunks is refused, although one chunk is accepted.',
      expected: `the same as with one chunk: status ${other.response.status}`,
      received: describeResponse(response),
      answers: [response, other.response],
      features: ['body', 'chunks'],
    })
  },
}

type CreateInChunks =
  /** With a finding if the item has other values than the body. */
  | { readonly kind: 'created'; readonly response: TestResponse; readonly wrong?: Finding }
  | { readonly kind: 'ended'; readonly verdict: Verdict }

async function createInChunks(chunks: number | undefined, site: WriteSite, session: Session): Promise<CreateInChunks> {
  const { ledger } = session
  const body = ledger?.mayCreate(site) === true ? await newBody({}, site, session) : undefined
  if (ledger === undefined || body === undefined) {
    return { kind: 'ended', verdict: { kind: 'inconclusive', why: cannotCreate } }
  }
  const stream = { mediaType: 'application/json', text: JSON.stringify(body) }
  const { response, path } = await ledger.create(site, body, chunks === undefined ? stream : { ...stream, chunks })
  try {
    const inconclusive = inconclusiveVerdict(response)
    if (inconclusive !== undefined) return { kind: 'ended', verdict: inconclusive }
    if (response.status >= 300 || path === undefined) return { kind: 'created', response }
    const expected = Object.fromEntries(Object.entries(body).filter(([name]) => !name.includes('@')))
    const message = 'A create whose body is sent in chunks makes an item with other values.'
    const read = await readBack(path, { expected, message, features: ['body', 'chunks'] }, site, session)
    if (read.kind === 'inconclusive') return { kind: 'ended', verdict: read }
    if (read.kind === 'matches') return { kind: 'created', response }
    return { kind: 'created', response, wrong: { ...read.finding, answers: [response, ...read.finding.answers] } }
  } finally {
    if (path !== undefined) await removeItem(path, session)
  }
}

/** How often the same requests are sent together. Not each time do they meet inside the service. */
const maxBursts = 3

/** @see RFC 9110, 3.3 (stateless) */
export const concurrentReads: ActiveRule = {
  kind: 'active',
  id: 'concurrent-reads',
  area: 'protocol',
  statement: 'Each of several reads at the same time gets the response to its own request.',
  advice:
    'Keep nothing of a request in a variable that another request can change: a field of a shared object, a module variable, a buffer that is reused.',
  aspects: ['collection.read', 'item.read'],
  covers: ['endpoint.collection', 'endpoint.item'],
  severity: 'must',
  writes: false,
  cost: 8,
  weight: 4,
  sites: session => {
    const lists = listSites(session, ({ select }) => select !== 'none')
    return lists.filter(site => (session.snapshot(site)?.rows.length ?? 0) > 1).slice(0, 1)
  },
  cases: () => ({ planned: [{ variant: 'together' }] }),
  check: async (_test, site, session) => {
    const list = querySite(site)
    if (list === undefined) return { kind: 'inconclusive', why: 'the list has no options' }
    const alone = new Map<TestRequest, string>()
    for (const request of differentReads(list, session)) {
      const content = contentOf(await session.send(request), list.type)
      if (content !== undefined && ![...alone.values()].includes(content)) alone.set(request, content)
    }
    if (alone.size < 2) return { kind: 'pass', vacuous: true }
    for (let burst = 0; burst < maxBursts; burst++) {
      const verdict = await readTogether(alone, list, session)
      if (verdict !== undefined) return verdict
    }
    return { kind: 'pass' }
  },
}

/** Reads of one list and its items whose responses differ. */
function differentReads(list: QuerySite, session: Session): readonly TestRequest[] {
  const { endpoint, type } = list
  const snapshot = session.snapshot(list)
  const { select, top } = endpoint.query
  const names = type.properties
    .filter(({ name, returned }) => returned !== 'onSelect' && !type.key.some(key => key.name === name))
    .map(({ name }) => name)
    .filter(name => snapshot?.rows.some(row => row[name] !== null && row[name] !== undefined))
  const selections = select === 'none' ? [] : names.slice(0, 2).map(name => ({ select: selectItems([name]) }))
  const filters = certainFilters(list, session)
    .slice(0, 1)
    .map(({ filter }) => ({ filter }))
  const item = itemEndpointOf(list, session.service)
  const items = [...(snapshot?.byKey.keys() ?? [])].slice(0, 2).flatMap(key => {
    const found = item === undefined || snapshot === undefined ? undefined : itemSiteOf(snapshot, key, item)
    return found === undefined ? [] : [readRequest(found)]
  })
  const lists = [{}, ...selections, ...(top.support === 'none' ? [] : [{ top: 1 }]), ...filters]
  return [...lists.map(options => readRequest(list, options)), ...items]
}

/** The properties and the keys in a response. The order of a list is not always fixed, nor are its values if others change them. */
function contentOf(response: TestResponse, type: EntityType): string | undefined {
  if (response.status !== 200 || !isRow(response.json)) return undefined
  const rows: readonly Row[] = pageOf(response)?.rows ?? [response.json]
  const names = new Set(rows.flatMap(row => Object.keys(row)).filter(name => !name.includes('@')))
  const keys = rows.map(row => keyOf(row, type) ?? '')
  return JSON.stringify([rows[0] === response.json, [...names].sort(), keys.sort()])
}

/**
 * The verdict if one of the reads gets the response to another one.
 *
 * @param alone what each response shows if nothing else is under way. Corrected if that has changed
 */
async function readTogether(
  alone: Map<TestRequest, string>,
  { type }: QuerySite,
  session: Session,
): Promise<Verdict | undefined> {
  const contents = new Set(alone.values())
  // To the engine, a read together with others is another request than the read on its own.
  const together = [...alone].map(async ([request, own]) => {
    return { request, own, response: await session.send({ ...request, credential: 'own' }) }
  })
  for (const { request, own, response } of await Promise.all(together)) {
    const content = contentOf(response, type)
    if (content === undefined || content === own || !contents.has(content)) continue
    const again = await session.send(request)
    const now = contentOf(again, type)
    if (now === own) {
      return failure({
        message: 'One of several reads at the same time gets the response to another one.',
        expected: `the same as on its own: ${describeResponse(again)}`,
        received: describeResponse(response),
        answers: [response, again],
        features: ['concurrent', 'read'],
      })
    }
    if (now === undefined) alone.delete(request)
    else alone.set(request, now)
  }
  return undefined
}
