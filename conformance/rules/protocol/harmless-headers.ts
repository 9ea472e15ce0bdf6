import { onePerEndpoint } from '../../discover/site.js'
import type { TestResponse } from '../../http/message.js'
import { isRow } from '../../json.js'
import { describeResponse, inconclusiveVerdict } from '../../rule/response.js'
import type { ActiveRule } from '../../rule/rule.js'
import { failure, type Verdict } from '../../rule/verdict.js'
import type { Session } from '../../session/session.js'
import { isRefusal, newBody } from '../writing/accepted-body.js'
import { type CreatedItem, cannotCreate, createItem } from '../writing/created-item.js'
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
