import type { ActiveRule, Verdict } from '../../rule/rule.js'
import type { Session } from '../../session/session.js'
import { type CreatedItem, createItem } from './created-item.js'
import {
  createTargets,
  linkSites,
  type RelationSite,
  refusalVerdict,
  relationMismatch,
  relationPath,
  urlOf,
} from './relation-site.js'
import { removeItem } from './remove-item.js'
import { cannotWrite, writeSite, writeSites } from './write-site.js'

export const referencesChange: ActiveRule = {
  kind: 'active',
  id: 'references-change',
  area: 'writing',
  statement: 'Adding, setting and removing a reference changes what the relation leads to, and nothing else.',
  advice:
    'POST to a $ref path adds a link, PUT sets that of a relation to one item, and DELETE removes one link: that of $id, or the only one. See OData 4.01 Protocol, 11.4.6.',
  aspects: ['methods', 'relation.path'],
  covers: ['endpoint.update', 'feature.references'],
  severity: 'must',
  writes: true,
  cost: 8,
  weight: 2,
  sites: session =>
    session.service.features.references === 'none'
      ? []
      : writeSites(session)
          .filter(({ update }) => update !== undefined)
          .filter(site => linkSites(site, session).length > 0),
  cases: (site, session) => {
    const writable = writeSite(site, session)
    const relations = writable === undefined ? [] : linkSites(writable, session)
    return { planned: relations.map(({ relation }) => ({ variant: 'add and remove', name: relation.name })) }
  },
  check: async ({ name }, site, session) => {
    const writable = writeSite(site, session)
    const at = writable && linkSites(writable, session).find(({ relation }) => relation.name === name)
    if (at === undefined) return { kind: 'inconclusive', why: cannotWrite }
    const targets = await createTargets(at, session)
    if (targets.kind === 'ended') return targets.verdict
    const owner = await createItem({}, at.site, session)
    if (owner.kind === 'ended') return owner.verdict
    try {
      return await addAndRemove(owner.item, targets.items, at, session)
    } finally {
      for (const { path } of [owner.item, ...targets.items]) await removeItem(path, session)
    }
  },
}

async function addAndRemove(
  owner: CreatedItem,
  items: readonly CreatedItem[],
  at: RelationSite,
  session: Session,
): Promise<Verdict> {
  const path = `${relationPath(owner, at)}/$ref`
  const { relation } = at
  const headers = at.site.update?.ifMatch === 'none' ? {} : { 'if-match': '*' }
  for (const item of items) {
    const body = { '@odata.id': urlOf(item, at.targets) }
    const added = await session.send({ method: relation.collection ? 'POST' : 'PUT', path, headers, body })
    const refused = refusalVerdict(added, 'references', session)
    if (refused !== undefined) return refused
  }
  const linked = await relationMismatch(owner, at, items, [], ['feature.references', 'add'], session)
  if (linked.kind !== 'pass') return linked
  const [first, ...others] = items
  if (first === undefined) return linked
  const query = relation.collection ? { rawQuery: `$id=${encodeURIComponent(urlOf(first, at.targets))}` } : {}
  const removed = await session.send({ method: 'DELETE', path, headers, ...query })
  const refused = refusalVerdict(removed, 'references', session)
  if (refused !== undefined) return refused
  return relationMismatch(owner, at, others, [first], ['feature.references', 'remove'], session)
}
