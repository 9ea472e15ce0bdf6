import { fullBody, oddBodies } from './body.js'
import { sequenceRule } from './sequence-rule.js'

export const createKeeps = sequenceRule({
  id: 'create-keeps',
  statement:
    'A create stores the values that the client sent and returns the new item, which can be read from then on.',
  advice:
    'Compare the response with the request. Values that are truncated, escaped, trimmed or converted on the way to the store are changed values.',
  aspects: ['create.item', 'methods'],
  covers: ['endpoint.create', 'open.createStatus', 'open.readYourWrites'],
  cost: 3,
  weight: 10,
  planned: site =>
    [
      fullBody(site, 1),
      ...oddBodies(site).slice(0, 2),
      fullBody(site, 2),
      ...oddBodies(site).slice(2),
      fullBody(site, 3),
    ].map(body => [{ action: 'create', body }, { action: 'read' }]),
})
