import type { PassiveRule } from '../../rule/rule.js'

export const allowHeader: PassiveRule = {
  kind: 'passive',
  id: 'allow-header',
  area: 'errors',
  statement: 'The Allow header of a 405 response does not list the rejected method.',
  advice: 'Set the header where you create the 405, from the methods of the route. See RFC 9110, section 15.5.6.',
  aspects: ['methods'],
  covers: ['fault.methodNotAllowed'],
  severity: 'should',
  inspect: response => {
    const { transportError, status, headers, request } = response
    // Proxies in front of a service answer HEAD and OPTIONS themselves.
    if (transportError !== undefined || status !== 405 || request.method === 'HEAD' || request.method === 'OPTIONS') {
      return undefined
    }
    const { allow } = headers
    const names = allow?.split(',').map(method => method.trim().toUpperCase()) ?? []
    if (!names.includes(request.method)) return 'seen'
    return {
      message: `The Allow header of a 405 response lists ${request.method}, the rejected method.`,
      expected: `Allow without ${request.method}`,
      received: `Allow: ${allow}`,
      answers: [response],
      features: ['header.Allow'],
    }
  },
}
