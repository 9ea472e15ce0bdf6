import type { PassiveRule } from '../../rule/rule.js'

export const jsonContentType: PassiveRule = {
  kind: 'passive',
  id: 'json-content-type',
  area: 'protocol',
  statement: 'A JSON body has a JSON content type, and does not begin with a byte order mark.',
  advice:
    'Clients choose a parser by the content type: send Content-Type: application/json. Many parsers refuse a byte order mark: encode as UTF-8 without it. See RFC 8259, section 8.1.',
  aspects: ['collection.read'],
  covers: ['body'],
  severity: 'should',
  inspect: (response, site) => {
    const { transportError, status, json, headers, text } = response
    if (transportError !== undefined || status === 304 || typeof json !== 'object' || json === null) return undefined
    const type = headers['content-type']
    if (type !== undefined && /^\s*(?:application|text)\/(?:[\w.+-]+\+)?json\b/i.test(type)) {
      // A stream is sent as it was stored.
      if (response.hasByteOrderMark !== true || site?.endpoint.kind === 'readStream') return 'seen'
      return {
        message: 'A JSON body begins with a byte order mark.',
        expected: 'a body that begins with the JSON text (RFC 8259, 8.1)',
        received: 'the character U+FEFF before the JSON text',
        why: [text.slice(0, 80)],
        answers: [response],
        features: ['body', 'byte order mark'],
      }
    }
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
