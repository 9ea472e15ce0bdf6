import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'

/** Bytes of the signature: as many as nobody guesses. */
const signatureLength = 16

/** Says what is wrong with a token: it was changed, or comes from another store. */
export type TokenProblem = 'malformed' | 'foreign'

/** Seals what a link carries to the next request, so that nobody can change it; opens what comes back. */
export interface TokenSealer {
  readonly seal: (content: unknown) => string
  readonly open: (token: string) => { readonly content: unknown } | TokenProblem
}

/** Tokens that are remembered: most links are followed soon. */
const mostKnown = 512

/**
 * Tokens signed with the store's secret: `store.content.signature`, each in base64url. The store's name tells tokens of a
 * store that is gone from those that were changed.
 */
export function tokenSealer(identity: { readonly id: string; readonly secret: string }): TokenSealer {
  const store = identity.id.slice(0, 8)
  const key = createSecretKey(identity.secret, 'utf8')
  const signature = (text: string): Buffer =>
    createHmac('sha256', key).update(text).digest().subarray(0, signatureLength)
  // The JSON in whole tokens, signature included, that were sealed or opened here: they need no other check. The oldest go.
  const known = new Map<string, string>()
  const remember = (token: string, json: string): void => {
    known.set(token, json)
    if (known.size <= mostKnown) return
    for (const oldest of known.keys()) {
      known.delete(oldest)
      break
    }
  }
  return {
    seal: content => {
      const json = JSON.stringify(content)
      const text = `${store}.${Buffer.from(json).toString('base64url')}`
      const token = `${text}.${signature(text).toString('base64url')}`
      remember(token, json)
      return token
    },
    open: token => {
      const before = known.get(token)
      if (before !== undefined) return { content: JSON.parse(before) }
      const [found = '', content = '', signed = '', ...more] = token.split('.')
      if (more.length > 0 || signed === '') return 'malformed'
      if (found !== store) return /^[0-9a-f]{8}$/.test(found) ? 'foreign' : 'malformed'
      const given = Buffer.from(signed, 'base64url')
      const expected = signature(`${found}.${content}`)
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return 'malformed'
      const json = Buffer.from(content, 'base64url').toString()
      remember(token, json)
      return { content: JSON.parse(json) }
    },
  }
}
