import type { BatchRoot } from './read-batch.js'

/**
 * Where a request of a batch goes, from the server's root on; undefined when that is not within the service, or is a
 * batch again. `/users`, `users`, `/v1.0/users` and the whole address say the same.
 *
 * @see OData JSON Format 4.01, 19.1: a URL may be absolute, from the host on, or relative
 */
export function batchTarget(url: string, root: BatchRoot): string | undefined {
  const below = belowRoot(url, root)
  if (below === undefined) return undefined
  const target = root.path + encoded(below)
  // Where it leads once `.` and `..` are gone, which the server core takes out of paths.
  const { pathname } = new URL(`http://localhost${target}`)
  if (pathname !== root.path && !pathname.startsWith(`${root.path}/`)) return undefined
  return /^\/(?:\$|%24)batch$/i.test(pathname.slice(root.path.length)) ? undefined : target
}

/** As it would have come in a request line, where nothing but visible ASCII can stand. */
function encoded(text: string): string {
  return text.replaceAll(/[^\x21-\x7e]+/gu, encodeURIComponent)
}

function belowRoot(url: string, root: BatchRoot): string | undefined {
  if (url === '' || url.startsWith('//') || url.includes('#') || /\p{Surrogate}/u.test(url)) return undefined
  for (const prefix of [root.url, root.path]) {
    if (url === prefix) return ''
    if (url.startsWith(`${prefix}/`) || url.startsWith(`${prefix}?`)) return url.slice(prefix.length)
  }
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(url)) return undefined
  return url.startsWith('/') ? url : `/${url}`
}
