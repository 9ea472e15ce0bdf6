import { itemEndpointOf, itemSiteOf, onePerEndpoint } from '../../discover/site.js'
import type { TestResponse } from '../../http/message.js'
import { isRow } from '../../json.js'
import { describeResponse, inconclusiveVerdict } from '../../rule/response.js'
import type { ActiveRule, PassiveRule } from '../../rule/rule.js'
import { failure } from '../../rule/verdict.js'

/** The entity tags of a response: in the header and in the body. */
interface ShownTags {
  readonly header?: string
  readonly body?: string
}

function tagsOf({ headers, json }: TestResponse): ShownTags {
  const header = headers['etag']
  const body = isRow(json) ? (json['@odata.etag'] ?? json['@etag']) : undefined
  return { ...(header === undefined ? {} : { header }), ...(typeof body === 'string' ? { body } : {}) }
}

/** The tag to send in If-Match. */
export function tagOf(response: TestResponse): string | undefined {
  const { header, body } = tagsOf(response)
  return header ?? body
}

/** Whether a text is an entity tag. @see RFC 9110, 8.8.3 */
export function isTag(text: string): boolean {
  return /^(?:W\/)?"[^"]*"$/.test(text)
}

/** The opaque tag, for the weak comparison. @see RFC 9110, 8.8.3.2 */
export function opaqueTag(text: string): string {
  return text.replace(/^W\//, '')
}

export const entityTagAgrees: PassiveRule = {
  kind: 'passive',
  id: 'entity-tag-agrees',
  area: 'entity-tags',
  statement: 'An entity tag is well formed, and the header and the body of a response have the same one.',
  advice:
    'A tag is quoted text, with W/ in front if it is weak. Create it in one place, and write the same text into the ETag header and into @odata.etag.',
  aspects: ['condition.ifMatch', 'condition.ifNoneMatch'],
  covers: ['entityTag', 'open.entityTag'],
  severity: 'should',
  inspect: (response, site) => {
    const { status, transportError } = response
    if (transportError !== undefined || site === undefined || status < 200 || status > 299) return undefined
    const { header, body } = tagsOf(response)
    const malformed = [header, body].find(tag => tag !== undefined && !isTag(tag))
    if (malformed !== undefined) {
      return {
        message: 'An entity tag is malformed.',
        expected: 'quoted text, such as "1" or W/"1"',
        received: malformed,
        answers: [response],
        features: ['entityTag.form'],
      }
    }
    if (header === undefined) return body === undefined ? undefined : 'seen'
    const isItem = site.endpoint.kind === 'item' || site.endpoint.kind === 'create' || site.endpoint.kind === 'update'
    if (!isItem || body === undefined || opaqueTag(body) === opaqueTag(header)) return 'seen'
    return {
      message: 'The ETag header and @odata.etag of a response differ.',
      expected: header,
      received: body,
      answers: [response],
      features: ['entityTag.differs'],
    }
  },
}

export const entityTagOfList: ActiveRule = {
  kind: 'active',
  id: 'entity-tag-of-list',
  area: 'entity-tags',
  statement: 'The entity tag of an item in a list is the entity tag of the item itself.',
  advice:
    'A client takes the tag from the list and sends it with an update. Compute tags in one place, from the stored item and not from its representation.',
  aspects: ['condition.ifMatch', 'condition.ifNoneMatch'],
  covers: ['entityTag'],
  severity: 'should',
  writes: false,
  cost: 1,
  weight: 4,
  sites: session =>
    onePerEndpoint(session.sites).filter(site => {
      const rows = session.snapshot(site)?.rows ?? []
      return (
        itemEndpointOf(site, session.service) !== undefined && rows.some(row => typeof row['@odata.etag'] === 'string')
      )
    }),
  cases: (site, session) => {
    const [key] = session.snapshot(site)?.byKey.keys() ?? []
    return key === undefined ? { skipReason: 'the collection has no items' } : { planned: [{ key }] }
  },
  check: async ({ key = '' }, site, session) => {
    const snapshot = session.snapshot(site)
    const endpoint = itemEndpointOf(site, session.service)
    const item = snapshot === undefined || endpoint === undefined ? undefined : itemSiteOf(snapshot, key, endpoint)
    const listed = snapshot?.byKey.get(key)?.['@odata.etag']
    if (item === undefined) return { kind: 'inconclusive', why: 'the item is no longer in the list' }
    const response = await session.send({ method: 'GET', path: item.path })
    const inconclusive = inconclusiveVerdict(response)
    if (inconclusive !== undefined) return inconclusive
    const { body, header } = tagsOf(response)
    const shown = body ?? header
    if (response.status !== 200 || typeof listed !== 'string' || shown === undefined)
      return { kind: 'pass', vacuous: true }
    if (!isTag(listed) || !isTag(shown) || opaqueTag(listed) === opaqueTag(shown)) return { kind: 'pass' }
    return failure({
      message: 'A list shows a different entity tag for an item than the item itself.',
      expected: `the tag ${shown} of the item`,
      received: `the tag ${listed} in the list`,
      why: [describeResponse(response)],
      answers: [response],
      features: ['entityTag.list'],
    })
  },
}
