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

/**
 * Tokens signed with the store's secret: `store.content.signature`, each in base64url. The store's name tells tokens of a
 * store that is gone from those that were changed.
 */
export function tokenSealer(identity: { readonly id: string; readonly secret: string }): TokenSealer {
  const store = identity.id.slice(0, 8)
  const key = createSecretKey(identity.secret, 'utf8')
  const signature = (text: string): Buffer =>
    createHmac('sha256', key).update(text).digest().subarray(0, signatureLength)
  return {
    seal: content => {
      const text = `${store}.${Buffer.from(JSON.stringify(content)).toString('base64url')}`
      return `${text}.${signature(text).toString('base64url')}`
    },
    open: token => {
      const [found = '', content = '', signed = '', ...more] = token.split('.')
      if (more.length > 0 || signed === '') return 'malformed'
      if (found !== store) return /^[0-9a-f]{8}$/.test(found) ? 'foreign' : 'malformed'
      const given = Buffer.from(signed, 'base64url')
      const expected = signature(`${found}.${content}`)
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return 'malformed'
      return { content: JSON.parse(Buffer.from(content, 'base64url').toString()) }
    },
  }
}
