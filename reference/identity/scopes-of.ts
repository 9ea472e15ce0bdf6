/**
 * The permission scopes of a token: `scp` or `scope`, a list or text with spaces between, and the application's `roles`.
 *
 * @see RFC 8693, 4.2 (scope)
 */
export function scopesOf(claims: Readonly<Record<string, unknown>>): readonly string[] {
  const scopes = ['scp', 'scope', 'roles'].flatMap(name => {
    const claim = Object.hasOwn(claims, name) ? claims[name] : undefined
    if (typeof claim === 'string') return claim.split(' ').filter(scope => scope !== '')
    return Array.isArray(claim) ? claim.filter(scope => typeof scope === 'string') : []
  })
  return [...new Set(scopes)]
}
