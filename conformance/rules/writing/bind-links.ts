import type { ActiveRule } from '../../rule/rule.js'
import { newBody } from './accepted-body.js'
import { type CreatedItem, cannotCreate } from './created-item.js'
import { createTargets, linkSites, refusalVerdict, relationMismatch, urlOf } from './relation-site.js'
import { removeItem } from './remove-item.js'
import { cannotWrite, writeSite, writeSites } from './write-site.js'

export const bindLinks: ActiveRule = {
  kind: 'active',
  id: 'bind-links',
  area: 'writing',
  statement: 'A create that links items with `odata.bind` leads to all of them.',
  advice:
    'Store a link for each URL in `name@odata.bind`, in the transaction of the create. The URLs can be absolute. See OData 4.01 JSON Format, 8.5.',
  aspects: ['methods', 'relation.path'],
  covers: ['endpoint.create', 'feature.bind'],
  severity: 'must',
  writes: true,
  cost: 5,
  weight: 2,
  sites: session =>
    session.service.features.bind === 'none'
      ? []
      : writeSites(session).filter(site => linkSites(site, session).length > 0),
  cases: (site, session) => {
    const writable = writeSite(site, session)
    const relations = writable === undefined ? [] : linkSites(writable, session)
    return { planned: relations.map(({ relation }) => ({ variant: 'create', name: relation.name })) }
  },
  check: async ({ name }, site, session) => {
    const writable = writeSite(site, session)
    const at = writable && linkSites(writable, session).find(({ relation }) => relation.name === name)
    const { ledger } = session
    if (writable === undefined || at === undefined || ledger === undefined)
      return { kind: 'inconclusive', why: cannotWrite }
    const targets = await createTargets(at, session)
    if (targets.kind === 'ended') return targets.verdict
    const { items } = targets
    const body = ledger.mayCreate(writable) ? await newBody({}, writable, session) : undefined
    if (body === undefined) return { kind: 'inconclusive', why: cannotCreate }
    const { relation } = at
    const urls = items.map(item => urlOf(item, at.targets))
    const foreignKey = new Set(relation.constraint.map(({ dependent }) => dependent))
    const values = Object.fromEntries(Object.entries(body).filter(([property]) => !foreignKey.has(property)))
    const bound = relation.collection ? urls : (urls[0] ?? null)
    const { response, path } = await ledger.create(writable, { ...values, [`${relation.name}@odata.bind`]: bound })
    const made: readonly Pick<CreatedItem, 'path'>[] = path === undefined ? items : [{ path }, ...items]
    try {
      const refused = refusalVerdict(response, 'bind', session)
      if (refused !== undefined) return refused
      if (path === undefined) return { kind: 'inconclusive', why: cannotCreate }
      return await relationMismatch({ path }, at, items, [], ['feature.bind', 'relation'], session)
    } finally {
      for (const item of made) await removeItem(item.path, session)
    }
  },
}
