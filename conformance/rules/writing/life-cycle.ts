import { fullBody, patchBody } from './body.js'
import { writeSequences } from './model.js'
import { sequenceRule } from './sequence-rule.js'

export const lifeCycle = sequenceRule({
  id: 'life-cycle',
  statement:
    'After any sequence of creates, updates and deletes, every read and list shows the state of the last write.',
  advice:
    'A fault that shows only after several writes comes from shared or retained state: caches, indexes or reused identifiers.',
  aspects: ['create.item', 'update.merge', 'delete.item', 'methods'],
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
      { action: 'list' },
    ],
  ],
  random: writeSequences,
})
