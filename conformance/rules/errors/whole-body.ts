import type { Endpoint } from '../../../spec/language/index.js'
import { describeResponse } from '../../rule/response.js'
import type { PassiveRule } from '../../rule/rule.js'

const readKinds: ReadonlySet<Endpoint['kind']> = new Set(['collection', 'item', 'delta'])

export const wholeBody: PassiveRule = {
  kind: 'watching',
  id: 'whole-body',
  area: 'errors',
  statement: 'An answer of success carries a whole JSON document.',
  advice:
    'A body that breaks off, or has an error appended, comes from a service that streams rows and fails on the way. Compute what may fail before the head is sent, or break the connection, so that clients notice.',
  clauses: ['envelope.value'],
  covers: ['body'],
  severity: 'must',
  inspect: (answer, site) => {
    const { testRequest: ask, status, text, json, headers, transportError: trouble } = answer
    if (trouble !== undefined || ask.method === 'HEAD' || status < 200 || status > 299) return undefined
    if (status === 202 || status === 204 || status === 205) return undefined
    const isRead = ask.method === 'GET' && site !== undefined && readKinds.has(site.endpoint.kind)
    const saysJson = /[/+]json\b/i.test(headers['content-type'] ?? '')
    if (!isRead && !(saysJson && text !== '')) return undefined
    if (json !== undefined) return 'seen'
    return {
      message: `An answer with status ${status} has ${text === '' ? 'no body' : 'a body that is no whole JSON document'}.`,
      expected: 'a JSON document',
      received: describeResponse(answer),
      answers: [answer],
      features: ['body'],
    }
  },
}
