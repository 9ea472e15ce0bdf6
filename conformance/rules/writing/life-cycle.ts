import fc from 'fast-check'
import type { Site } from '../../discover/site.js'
import type { ActiveRule, RuleMetadata, TestCase, TestStep } from '../../rule/rule.js'
import type { Session } from '../../session/session.js'
import { fullBody, partialBody, patchBody } from './body.js'
import { runLifeCycle } from './model.js'
import { type WriteSite, writeSite, writeSites } from './write-site.js'

interface LifeCycleFacts extends Pick<RuleMetadata, 'id' | 'statement' | 'advice' | 'clauses' | 'covers'> {
  readonly cost: number
  readonly weight: number
  readonly sites?: (session: Session) => readonly WriteSite[]
  /** The steps of the planned cases. */
  readonly planned: (site: WriteSite) => readonly (readonly TestStep[])[]
  readonly random?: (site: WriteSite) => fc.Arbitrary<TestCase>
}

/** A rule about what becomes of items that are created, changed and deleted. */
function lifeCycleRule({ sites = writeSites, planned, random, ...facts }: LifeCycleFacts): ActiveRule {
  return {
    kind: 'active',
    area: 'writing',
    severity: 'must',
    writes: true,
    ...facts,
    sites,
    cases: (site, session) => {
      const at = writeSite(site, session)
      if (at === undefined) return { skipReason: 'items cannot be created and deleted here' }
      return {
        planned: planned(at).map(steps => ({ steps })),
        ...(random === undefined ? {} : { random: random(at) }),
      }
    },
    check: async ({ steps = [] }, site: Site, session) => {
      const at = writeSite(site, session)
      if (at === undefined) return { kind: 'inconclusive', why: 'items cannot be created and deleted here' }
      return runLifeCycle(steps, at, session)
    },
  }
}

const changeable = (session: Session): readonly WriteSite[] => {
  return writeSites(session).filter(({ update: change }) => change !== undefined)
}

export const createKeeps = lifeCycleRule({
  id: 'create-keeps',
  statement:
    'A create stores the values that the client sent and returns the new item, which can be read from then on.',
  advice:
    'Compare the response with the request. Values that are truncated, escaped, trimmed or converted on the way to the store are changed values.',
  clauses: ['create.message', 'create.group', 'methods'],
  covers: ['endpoint.create', 'open.createStatus', 'open.readYourWrites'],
  cost: 3,
  weight: 10,
  planned: site => [0, 7, 3, 2].map(number => [{ action: 'create', body: fullBody(site, number) }, { action: 'read' }]),
})

export const patchKeeps = lifeCycleRule({
  id: 'patch-keeps',
  statement: 'PATCH sets the named properties, clears those that are null, and leaves all others unchanged.',
  advice: 'Merge the body into the item instead of replacing the item, and return the item as it is afterwards.',
  clauses: ['patch.omitted', 'patch.fields', 'methods'],
  covers: ['endpoint.update', 'open.updateStatus'],
  cost: 3,
  weight: 10,
  sites: changeable,
  // Most faults show in the answer already; the read tells whether it was kept.
  planned: site => [
    [
      { action: 'create', body: fullBody(site, 1) },
      { action: 'patch', body: patchBody(site, 1) },
    ],
    ...[3, 5].map(number => [
      { action: 'create', body: fullBody(site, number) },
      { action: 'patch', body: patchBody(site, number) },
      { action: 'read' },
    ]),
  ],
})

export const replaceSets = lifeCycleRule({
  id: 'replace-sets',
  statement: 'PUT sets every property: a property that the body omits gets its default value or null.',
  advice:
    'PUT is not PATCH: start from an empty item, not from the stored one. Only keys and properties that are set on create keep their values.',
  clauses: ['methods'],
  covers: ['endpoint.replace', 'open.updateStatus'],
  cost: 5,
  weight: 6,
  sites: session => writeSites(session).filter(({ replacement }) => replacement !== undefined),
  planned: site =>
    [1, 2].map(number => [
      { action: 'create', body: fullBody(site, number) },
      { action: 'replace', body: partialBody(site, number) },
      { action: 'read' },
    ]),
})

export const deleteRemoves = lifeCycleRule({
  id: 'delete-removes',
  statement: 'A deleted item is gone: reading it returns 404.',
  advice:
    'If you mark items as deleted, exclude them from every read. Look for reads by key that do not check the mark.',
  clauses: ['methods', 'error.itemNotFound'],
  covers: ['endpoint.delete', 'open.deleteStatus'],
  cost: 3,
  weight: 12,
  planned: () => [[{ action: 'create', body: {} }, { action: 'delete' }]],
})

export const lifeCycle = lifeCycleRule({
  id: 'life-cycle',
  statement:
    'After any sequence of creates, updates and deletes, every read and list shows the state of the last write.',
  advice:
    'A fault that shows only after several writes comes from shared or retained state: caches, indexes or reused identifiers.',
  clauses: ['methods'],
  covers: ['endpoint.create', 'endpoint.update', 'endpoint.delete'],
  cost: 8,
  weight: 10,
  planned: site => [
    [
      { action: 'create', body: fullBody(site, 4) },
      { action: 'create', body: fullBody(site, 5) },
      { action: 'patch', item: 1, body: patchBody(site, 1) },
      { action: 'read', item: 0 },
      { action: 'delete', item: 1 },
      { action: 'read', item: 0 },
    ],
  ],
  random: site =>
    fc.array(stepArbitrary(site), { minLength: 2, maxLength: 6 }).map(steps => ({ steps: begun(steps, site) })),
})

function stepArbitrary(site: WriteSite): fc.Arbitrary<TestStep> {
  const item = fc.nat(2)
  const number = fc.nat(40)
  return fc.oneof(
    item.map(at => ({ action: 'read', item: at })),
    number.map(at => ({ action: 'create', body: fullBody(site, at) })),
    fc.tuple(item, number).map(([at, which]) => ({ action: 'patch', item: at, body: patchBody(site, which) })),
    item.map(at => ({ action: 'delete', item: at })),
  )
}

/** There is something to read and to change from the start, and all is looked at in the end. */
function begun(steps: readonly TestStep[], site: WriteSite): readonly TestStep[] {
  return [{ action: 'create', body: fullBody(site, steps.length) }, ...steps, { action: 'read', item: 0 }]
}
