import { fullBody, partialBody } from './body.js'
import { sequenceRule } from './sequence-rule.js'
import { writeSites } from './write-site.js'

export const replaceSets = sequenceRule({
  id: 'replace-sets',
  statement: 'PUT sets every property: a property that the body omits gets its default value or null.',
  advice:
    'PUT is not PATCH: start from an empty item, not from the stored one. Only keys and properties that are set on create keep their values.',
  aspects: ['update.replace'],
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
