import { parseMediaType, splitUnquoted } from '../../runtime/server/http/media-type.js'

const ranges = ['text/html', 'text/*', '*/*']

/**
 * Whether a caller takes HTML: whoever says nothing does.
 *
 * @see RFC 9110, 12.5.1 (Accept)
 */
export function acceptsHtml(accept: string | null): boolean {
  if (accept === null || accept.trim() === '') return true
  const given = splitUnquoted(accept, ',').flatMap(part => parseMediaType(part) ?? [])
  // The most specific range decides.
  const best = ranges.flatMap(range => given.find(({ type }) => type === range) ?? [])[0]
  return best !== undefined && Number(best.parameters.get('q') ?? '1') > 0
}
