import { fullBody, patchBody } from './body.js'
import { sequenceRule } from './sequence-rule.js'
import { writeSites } from './write-site.js'

export const patchKeeps = sequenceRule({
  id: 'patch-keeps',
  statement: 'PATCH sets the named properties, clears those that are null, and leaves all others unchanged.',
  advice: 'Merge the body into the item instead of replacing the item, and return the item as it is afterwards.',
  aspects: ['update.merge', 'methods'],
  covers: ['endpoint.update', 'open.updateStatus'],
  cost: 3,
  weight: 10,
  sites: session => writeSites(session).filter(({ update }) => update !== undefined),
  // Most faults show in the response to the update. The read checks that the service has stored it.
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
