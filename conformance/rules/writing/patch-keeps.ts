import type { TestStep } from '../../rule/rule.js'
import { clearingBodies, fullBody, partialComplexBody, patchBody } from './body.js'
import { sequenceRule } from './sequence-rule.js'
import { type WriteSite, writeSites } from './write-site.js'

export const patchKeeps = sequenceRule({
  id: 'patch-keeps',
  statement: 'PATCH sets the named properties, clears those that are null, and leaves all others unchanged.',
  advice: 'Merge the body into the item instead of replacing the item, and return the item as it is afterwards.',
  aspects: ['update.merge', 'methods'],
  covers: ['endpoint.update', 'open.updateStatus', 'open.complexUpdate'],
  cost: 3,
  weight: 10,
  sites: session => writeSites(session).filter(({ update }) => update !== undefined),
  // Most faults show in the response to the update. The read checks that the service has stored it.
  planned: site => [
    [
      { action: 'create', body: fullBody(site, 1) },
      { action: 'patch', body: patchBody(site, 1) },
    ],
    ...[1, 2].flatMap(number => partOfComplex(site, number)),
    ...clearingBodies(site, 4).map(([value, cleared]) => [
      { action: 'create', body: fullBody(site, 4) },
      { action: 'patch', body: value },
      { action: 'patch', body: cleared },
      { action: 'read' },
    ]),
    ...[3, 5].map(number => [
      { action: 'create', body: fullBody(site, number) },
      { action: 'patch', body: patchBody(site, number) },
      { action: 'read' },
    ]),
  ],
})

/** Members that an update of a complex value omits stay, too, unless the service may replace objects (`complexUpdate`). */
function partOfComplex(site: WriteSite, number: number): readonly (readonly TestStep[])[] {
  const body = partialComplexBody(site, number)
  if (Object.keys(body).length === 0) return []
  return [[{ action: 'create', body: fullBody(site, number) }, { action: 'patch', body }, { action: 'read' }]]
}
