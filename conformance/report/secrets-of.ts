import type { ConformanceOptions } from '../options.js'

/** Headers that say what is wanted and are part of what is judged: nobody keeps a secret in them. */
const plain = /^(?:accept(?:-.*)?|content-type|odata-(?:max)?version|prefer)$/i

/**
 * What may stand in no report: the token, the values of all other headers that were given, and the parts of such a value
 * that are secret by themselves: `X` of `Bearer X`, the password in `Basic …`, each value of a cookie.
 */
export function secretsOf({ token, headers = {} }: Pick<ConformanceOptions, 'token' | 'headers'>): readonly string[] {
  const ofHeaders = Object.entries(headers)
    .filter(([name]) => !plain.test(name))
    .flatMap(([name, value]) => [value.trim(), ...partsOf(name.toLowerCase(), value.trim())])
  return [...new Set([...(token === undefined ? [] : [token, `Bearer ${token}`]), ...ofHeaders])]
}

function partsOf(name: string, value: string): readonly string[] {
  if (name === 'cookie') return value.split(';').map(pair => pair.slice(pair.indexOf('=') + 1).trim())
  const [, scheme = '', credential] = /^([A-Za-z][\w-]*)[ \t]+(\S+)$/.exec(value) ?? []
  if (credential === undefined) return []
  if (scheme.toLowerCase() !== 'basic') return [credential]
  const pair = Buffer.from(credential, 'base64').toString('utf8')
  return [credential, pair, pair.slice(pair.indexOf(':') + 1)]
}
