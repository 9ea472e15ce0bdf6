import type { Endpoint } from '../../../spec/language/index.js'
import { describeResponse } from '../../rule/response.js'
import type { PassiveRule } from '../../rule/rule.js'

const readKinds: ReadonlySet<Endpoint['kind']> = new Set(['collection', 'item', 'delta'])

export const wholeBody: PassiveRule = {
  kind: 'passive',
  id: 'whole-body',
  area: 'errors',
  statement: 'A success response carries a complete JSON document.',
  advice:
    'A truncated body, or a body with an error appended, comes from a service that streams rows and fails partway. Compute whatever may fail before you send the headers, or abort the connection so that clients notice.',
  aspects: ['collection.value'],
  covers: ['body'],
  severity: 'must',
  inspect: (response, site) => {
    const { testRequest: request, status, text, json, headers, transportError } = response
    if (transportError !== undefined || request.method === 'HEAD' || status < 200 || status > 299) return undefined
    if (status === 202 || status === 204 || status === 205) return undefined
    const isRead = request.method === 'GET' && site !== undefined && readKinds.has(site.endpoint.kind)
    const saysJson = /[/+]json\b/i.test(headers['content-type'] ?? '')
    if (!isRead && !(saysJson && text !== '')) return undefined
    if (json !== undefined) return 'seen'
    return {
      message: `A response with status ${status} has ${text === '' ? 'no body' : 'a body that is not a complete JSON document'}.`,
      expected: 'a JSON document',
      received: describeResponse(response),
      answers: [response],
      features: ['body'],
    }
  },
}
