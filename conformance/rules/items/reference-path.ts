import { onePerEndpoint, type Site } from '../../discover/site.js'
import { isRow } from '../../json.js'
import { describeResponse, inconclusiveVerdict, isRejection } from '../../rule/response.js'
import type { ActiveRule } from '../../rule/rule.js'
import { failure } from '../../rule/verdict.js'

export const referencePath: ActiveRule = {
  kind: 'active',
  id: 'reference-path',
  area: 'items',
  statement: 'The links of a relation name as many items as its list has.',
  advice:
    'Answer a path that ends in $ref from the same rows as the path without it, in pages of the same size. Each link has only the URL of its item, in @odata.id.',
  aspects: ['relation.path'],
  covers: ['endpoint.collection', 'feature.references'],
  severity: 'must',
  writes: false,
  cost: 2,
  weight: 2,
  sites: ({ sites, service }) =>
    service.features.references === 'none' ? [] : onePerEndpoint(sites).filter(isRelationToMany),
  cases: () => ({ planned: [{ variant: 'read' }] }),
  check: async (_test, site, session) => {
    const list = await session.send({ method: 'GET', path: site.path })
    const items = list.status === 200 && isRow(list.json) ? list.json['value'] : undefined
    if (!Array.isArray(items)) return { kind: 'pass', vacuous: true }
    const response = await session.send({ method: 'GET', path: `${site.path}/$ref` })
    const inconclusive = inconclusiveVerdict(response)
    if (inconclusive !== undefined) return inconclusive
    if (isRejection(response, session) && session.service.features.references !== 'required')
      return { kind: 'unsupported', constructs: ['references'] }
    const links = response.status === 200 && isRow(response.json) ? response.json['value'] : undefined
    const isRight =
      Array.isArray(links) &&
      links.length === items.length &&
      links.every(link => isRow(link) && typeof (link['@odata.id'] ?? link['@id']) === 'string')
    if (isRight) return items.length === 0 ? { kind: 'pass', vacuous: true } : { kind: 'pass' }
    return failure({
      message: 'The links of a relation are not those of the items that its path lists.',
      expected: `${items.length} links, each with the URL of an item in @odata.id`,
      received: describeResponse(response),
      answers: [response, list],
      features: ['relation.references'],
    })
  },
}

/** Whether a path ends in a relation to several items, which it does not contain. */
function isRelationToMany({ endpoint }: Site): boolean {
  const last = endpoint.resolved.at(-1)
  return endpoint.kind === 'collection' && last?.kind === 'navigation' && !last.property.contained
}
