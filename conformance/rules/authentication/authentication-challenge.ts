import type { Watch } from '../../rule/rule.js'

export const authenticationChallenge: Watch = {
  kind: 'watching',
  id: 'authentication-challenge',
  area: 'authentication',
  statement: 'An answer with status 401 says in the header WWW-Authenticate which credential is wanted.',
  advice: 'RFC 9110, 15.5.2 demands it; for bearer tokens RFC 6750, 3 says what it holds.',
  clauses: ['authentication.missing'],
  covers: ['authentication'],
  severity: 'should',
  watch: answer => {
    if (answer.trouble !== undefined || answer.status !== 401) return undefined
    if ((answer.headers['www-authenticate'] ?? '').trim() !== '') return 'seen'
    return {
      message: 'An answer with status 401 has no header WWW-Authenticate.',
      expected: 'WWW-Authenticate with a challenge, such as Bearer',
      received: `status 401 without it`,
      answers: [answer],
      features: ['header.WWW-Authenticate'],
    }
  },
}
