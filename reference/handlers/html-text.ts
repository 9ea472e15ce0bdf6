const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'", nbsp: '\u00a0' }

/** Elements that begin a line, in the text of a document. */
const lineElements: ReadonlySet<string> = new Set(['br', 'p', 'div', 'li', 'tr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'])

/** Elements whose content nobody reads. */
const silentElements: ReadonlySet<string> = new Set(['script', 'style', 'head', 'title'])

/** The text of an HTML document or a part of one: what stands between its tags, with line breaks where blocks begin. */
export function textOf(html: string): string {
  let text = ''
  let silent = ''
  let position = 0
  while (position < html.length) {
    const open = html.indexOf('<', position)
    const end = open < 0 ? html.length : open
    if (silent === '') text += decoded(html.slice(position, end))
    if (open < 0) break
    const close = html.indexOf('>', open)
    if (close < 0) break
    const [, slash = '', name = ''] = /^<(\/?)([A-Za-z][A-Za-z0-9]{0,20})/.exec(html.slice(open, open + 24)) ?? []
    const element = name.toLowerCase()
    if (silent !== '') {
      if (slash === '/' && element === silent) silent = ''
    } else if (slash === '' && silentElements.has(element)) silent = element
    else if (slash === '' && lineElements.has(element) && text !== '' && !text.endsWith('\n')) text += '\n'
    position = close + 1
  }
  return text.trim()
}

/** An HTML document that shows a text as it is. */
export function htmlOf(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return `<html><body>${escaped.replaceAll('\r\n', '\n').replaceAll('\n', '<br>')}</body></html>`
}

function decoded(text: string): string {
  return text.replaceAll(/&(#x?[0-9A-Fa-f]{1,6}|[a-z]{2,5});/g, (whole, name: string) => {
    if (!name.startsWith('#')) return Object.hasOwn(entities, name) ? (entities[name] ?? whole) : whole
    const code = name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
    const isCharacter = code > 0 && code <= 0x10_ff_ff && (code < 0xd800 || code > 0xdfff)
    return isCharacter ? String.fromCodePoint(code) : whole
  })
}
