import type { PassiveRule } from '../../rule/rule.js'
import { isTag, opaqueTag, tagsOf } from './entity-tag.js'

export const entityTagAgrees: PassiveRule = {
  kind: 'passive',
  id: 'entity-tag-agrees',
  area: 'entity-tags',
  statement: 'An entity tag is well formed, and the header and the body of a response have the same one.',
  advice:
    'A tag is quoted text, with W/ in front if it is weak. Create it in one place, and write the same text into the ETag header and into @odata.etag.',
  aspects: ['condition.ifMatch', 'condition.ifNoneMatch'],
  covers: ['entityTag', 'open.entityTag'],
  severity: 'should',
  inspect: (response, site) => {
    const { status, transportError } = response
    if (transportError !== undefined || site === undefined || status < 200 || status > 299) return undefined
    const { header, body } = tagsOf(response)
    const malformed = [header, body].find(tag => tag !== undefined && !isTag(tag))
    if (malformed !== undefined) {
      return {
        message: 'An entity tag is malformed.',
        expected: 'quoted text, such as "1" or W/"1"',
        received: malformed,
        answers: [response],
        features: ['entityTag.form'],
      }
    }
    if (header === undefined) return body === undefined ? undefined : 'seen'
    const isItem = site.endpoint.kind === 'item' || site.endpoint.kind === 'create' || site.endpoint.kind === 'update'
    if (!isItem || body === undefined || opaqueTag(body) === opaqueTag(header)) return 'seen'
    return {
      message: 'The ETag header and @odata.etag of a response differ.',
      expected: header,
      received: body,
      answers: [response],
      features: ['entityTag.differs'],
    }
  },
}
