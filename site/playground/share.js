// A link that contains a spec and a request. Browsers do not send the part of an address after `#`.

/** The longest fragment that the page reads, and the longest text that it contains, in characters. */
const maxFragment = 32_000
const maxText = 200_000

/** @returns the fragment, without `#`; undefined if it would be too long to share */
export async function toFragment(state) {
  const stream = new Blob([JSON.stringify(state)]).stream().pipeThrough(new CompressionStream('deflate-raw'))
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer())
  const text = btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(''))
  const fragment = `s=${text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')}`
  return fragment.length > maxFragment ? undefined : fragment
}

/**
 * Reads a fragment that anybody may have written.
 *
 * @returns the spec and the fields of the request, all of them texts; undefined if there is none that can be read
 */
export async function fromFragment(fragment) {
  const [, encoded] = /^#?s=([\w-]+)$/.exec(fragment) ?? []
  if (encoded === undefined || encoded.length > maxFragment) return undefined
  try {
    const bytes = Uint8Array.from(atob(encoded.replaceAll('-', '+').replaceAll('_', '/')), each => each.charCodeAt(0))
    return stateOf(JSON.parse(await inflated(bytes)))
  } catch {
    return undefined
  }
}

/** A few bytes can expand to gigabytes, so it stops at the limit. */
async function inflated(bytes) {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader()
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    text += decoder.decode(value, { stream: true })
    if (text.length > maxText) {
      await reader.cancel()
      throw new RangeError('The text is too long.')
    }
  }
}

function stateOf(value) {
  if (typeof value !== 'object' || value === null || typeof value.spec !== 'string') return undefined
  const fields = ['endpoint', 'query', 'body'].flatMap(name =>
    typeof value[name] === 'string' ? [[name, value[name]]] : [],
  )
  return { spec: value.spec, ...Object.fromEntries(fields) }
}
