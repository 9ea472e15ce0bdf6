/** What the signature of a JSON Web Token is checked with. */
export type TokenKey =
  /** Shared with whoever issues tokens, HS256; 32 bytes at least. */
  | { readonly kind: 'secret'; readonly secret: string }
  /** Where the issuer publishes its keys. @see RFC 7517, 5 (JWK Set) */
  | { readonly kind: 'jwks'; readonly url: URL }

/** Bytes that a secret for HS256 must have. @see RFC 7518, 3.2 */
export const shortestSecret = 32
