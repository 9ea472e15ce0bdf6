import type { Watch } from '../../rule/rule.js'

export const allowHeader: Watch = {
  kind: 'watching',
  id: 'allow-header',
  area: 'errors',
  statement: 'An answer with status 405 names the methods of the path in the header Allow.',
  advice: 'RFC 9110, 15.5.6 demands it. Write the header where the 405 is made, from the methods that the route has.',
  clauses: ['methods'],
  covers: ['fault.methodNotAllowed'],
  severity: 'should',
  watch: answer => {
    if (answer.trouble !== undefined || answer.status !== 405) return undefined
    const allow = answer.headers['allow']
    const hasMethod = allow?.split(',').some(method => method.trim().toUpperCase() === answer.request.method) === true
    if (allow !== undefined && !hasMethod) return 'seen'
    return {
      message: hasMethod
        ? `The header Allow of a 405 names ${answer.request.method}, the very method that is refused.`
        : 'An answer with status 405 has no header Allow.',
      expected: `Allow with the methods of the path, ${answer.request.method} not among them`,
      received: allow === undefined ? 'no header Allow' : `Allow: ${allow}`,
      answers: [answer],
      features: ['header.Allow'],
    }
  },
}
