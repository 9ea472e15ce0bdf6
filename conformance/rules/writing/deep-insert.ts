import { isRow } from '../../json.js'
import type { ActiveRule, Verdict } from '../../rule/rule.js'
import type { Session } from '../../session/session.js'
import { newBody } from './accepted-body.js'
import type { Body } from './body.js'
import { cannotCreate, eventually, valueMismatches } from './created-item.js'
import { containedSites, type RelationSite, refusalVerdict, relationPath } from './relation-site.js'
import { removeItem } from './remove-item.js'
import { cannotWrite, writeSite, writeSites } from './write-site.js'

/** More than one, so that a service cannot ignore the others. */
const nestedItems = 2

export const deepInsert: ActiveRule = {
  kind: 'active',
  id: 'deep-insert',
  area: 'writing',
  statement: 'A create with related items in its body creates all of them, with their values.',
  advice: 'Create the item and everything nested in it in one transaction. See OData 4.01 Protocol, 11.4.2.2.',
  aspects: ['methods', 'relation.path'],
  covers: ['endpoint.create', 'feature.deepInsert'],
  severity: 'must',
  writes: true,
  cost: 5,
  weight: 2,
  sites: session =>
    session.service.features.deepInsert === 'none'
      ? []
      : writeSites(session).filter(site => containedSites(site, session).length > 0),
  cases: (site, session) => {
    const writable = writeSite(site, session)
    const relations = writable === undefined ? [] : containedSites(writable, session)
    return { planned: relations.map(({ relation }) => ({ variant: 'create', name: relation.name })) }
  },
  check: async ({ name }, site, session) => {
    const writable = writeSite(site, session)
    const at = writable && containedSites(writable, session).find(({ relation }) => relation.name === name)
    const { ledger } = session
    if (writable === undefined || at === undefined || ledger === undefined)
      return { kind: 'inconclusive', why: cannotWrite }
    const nested: Body[] = []
    for (let count = 0; count < nestedItems; count++) {
      const values = await newBody({}, at.targets, session)
      if (values !== undefined) nested.push(values)
    }
    const body = ledger.mayCreate(writable) ? await newBody({}, writable, session) : undefined
    if (body === undefined || nested.length < nestedItems) return { kind: 'inconclusive', why: cannotCreate }
    const { response, path } = await ledger.create(writable, { ...body, [at.relation.name]: nested })
    try {
      const refused = refusalVerdict(response, 'deepInsert', session)
      if (refused !== undefined) return refused
      return path === undefined
        ? { kind: 'inconclusive', why: cannotCreate }
        : await nestedMismatch({ path }, nested, at, session)
    } finally {
      if (path !== undefined) await removeItem(path, session)
    }
  },
}

/** Reads the nested items until they are those of the body. */
async function nestedMismatch(
  owner: { readonly path: string },
  nested: readonly Body[],
  at: RelationSite,
  session: Session,
): Promise<Verdict> {
  let verdict: Verdict = { kind: 'inconclusive', why: 'the nested items cannot be read' }
  await eventually(async () => {
    const { rows, pages, end } = await session.list({ method: 'GET', path: relationPath(owner, at) })
    if (end !== 'complete') return undefined
    const items = rows.filter(isRow)
    const missing = nested.filter(
      values => !items.some(row => valueMismatches(row, values, at.targets, session).length === 0),
    )
    if (missing.length === 0 && items.length === nested.length) {
      verdict = { kind: 'pass' }
      return undefined
    }
    verdict = {
      kind: 'fail',
      finding: {
        message: `The items in ${at.relation.name} are not those of the body that created their owner.`,
        expected: `${nested.length} items, with the values of the body`,
        received: `${items.length} items, of which ${missing.length} of the body are missing`,
        answers: pages,
        features: ['feature.deepInsert', 'relation'],
      },
    }
    return verdict
  }, session)
  return verdict
}
