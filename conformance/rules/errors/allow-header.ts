import type { PassiveRule } from '../../rule/rule.js'

export const allowHeader: PassiveRule = {
  kind: 'watching',
  id: 'allow-header',
  area: 'errors',
  statement: 'The header Allow of an answer with status 405 does not name the method that was refused.',
  advice: 'Write the header where the 405 is made, from the methods that the route has. See RFC 9110, 15.5.6.',
  clauses: ['methods'],
  covers: ['fault.methodNotAllowed'],
  severity: 'should',
  inspect: answer => {
    const { transportError: trouble, status, headers, request } = answer
    // Servers in front of a service answer HEAD and OPTIONS in their own way.
    if (trouble !== undefined || status !== 405 || request.method === 'HEAD' || request.method === 'OPTIONS') {
      return undefined
    }
    const { allow } = headers
    const names = allow?.split(',').map(method => method.trim().toUpperCase()) ?? []
    if (!names.includes(request.method)) return 'seen'
    return {
      message: `The header Allow of a 405 names ${request.method}, the very method that is refused.`,
      expected: `Allow without ${request.method}`,
      received: `Allow: ${allow}`,
      answers: [answer],
      features: ['header.Allow'],
    }
  },
}
