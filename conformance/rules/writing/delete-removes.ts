import { sequenceRule } from './sequence-rule.js'
import { writeSites } from './write-site.js'

export const deleteRemoves = sequenceRule({
  id: 'delete-removes',
  statement: 'A deleted item is gone: reading it returns 404.',
  advice:
    'If you mark items as deleted, exclude them from every read. Look for reads by key that do not check the mark.',
  aspects: ['delete.item'],
  covers: ['endpoint.delete', 'open.deleteStatus'],
  cost: 3,
  weight: 12,
  sites: session => writeSites(session).filter(({ deletion }) => deletion !== undefined),
  planned: () => [[{ action: 'create', body: {} }, { action: 'delete' }]],
})
