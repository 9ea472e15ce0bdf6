/** Options that say where a page begins: a next link has its own. */
const positions = new Set(['skip', 'skiptoken', 'deltatoken'])

/** A raw query string without the options that say where a page begins; all else is repeated as it was sent. */
export function repeatedOptions(query: string): string {
  return query
    .split('&')
    .filter(part => part !== '' && !positions.has(optionName(part)))
    .join('&')
}

/** Option names may be encoded, in any letter case, and without `$`. */
function optionName(part: string): string {
  const sign = part.indexOf('=')
  const name = sign < 0 ? part : part.slice(0, sign)
  if (!name.includes('%')) return (name.startsWith('$') ? name.slice(1) : name).toLowerCase()
  return name
    .replace(/^(?:\$|%24)/, '')
    .replaceAll(/%[0-9a-f]{2}/gi, encoded => String.fromCharCode(Number.parseInt(encoded.slice(1), 16)))
    .replace(/^\$/, '')
    .toLowerCase()
}
