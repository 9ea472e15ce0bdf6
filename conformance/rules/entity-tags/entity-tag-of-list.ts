import { onePerEndpoint } from '../../discover/site.js'
import { describeResponse, inconclusiveVerdict } from '../../rule/response.js'
import type { ActiveRule } from '../../rule/rule.js'
import { itemEndpointOf, itemSiteOf } from '../items/item-endpoint.js'
import { isTag, opaqueTag, tagsOf } from './entity-tag.js'

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
    return {
      kind: 'fail',
      finding: {
        message: 'A list shows a different entity tag for an item than the item itself.',
        expected: `the tag ${shown} of the item`,
        received: `the tag ${listed} in the list`,
        why: [describeResponse(response)],
        answers: [response],
        features: ['entityTag.list'],
      },
    }
  },
}
