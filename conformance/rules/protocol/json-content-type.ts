import type { PassiveRule } from '../../rule/rule.js'

export const jsonContentType: PassiveRule = {
  kind: 'passive',
  id: 'json-content-type',
  area: 'protocol',
  statement: 'A JSON body has a JSON content type.',
  advice: 'Clients choose a parser by the content type: send Content-Type: application/json.',
  aspects: ['collection.read'],
  covers: ['body'],
  severity: 'should',
  inspect: response => {
    const { transportError, status, json, headers, text } = response
    if (transportError !== undefined || status === 304 || typeof json !== 'object' || json === null) return undefined
    const type = headers['content-type']
    if (type !== undefined && /^\s*(?:application|text)\/(?:[\w.+-]+\+)?json\b/i.test(type)) return 'seen'
    return {
      message: 'A JSON body does not have a JSON content type.',
      expected: 'Content-Type: application/json',
      received: type === undefined ? 'no Content-Type' : `Content-Type: ${type}`,
      why: [text.slice(0, 80)],
      answers: [response],
      features: ['contentType'],
    }
  },
}
