import { RequestFault } from '../request-fault.js'

/** How deep objects and lists of a body may nest. */
const maxJsonNesting = 64

/** Both options are said: the types of Cloudflare's workers want them so. */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/** Parses a JSON body. Fails with `malformedBody` when it is not UTF-8, not JSON, or nested too deep. */
export function parseJson(bytes: Uint8Array): unknown {
  const text = decodeUtf8(bytes)
  if (nestsDeeperThan(text, maxJsonNesting)) {
    throw new RequestFault('malformedBody', { values: { reason: `It nests deeper than ${maxJsonNesting} levels.` } })
  }
  try {
    return JSON.parse(text)
  } catch (error) {
    const reason = error instanceof SyntaxError ? jsonReason(error.message) : 'It is no JSON.'
    throw new RequestFault('malformedBody', { values: { reason } })
  }
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw new RequestFault('malformedBody', { values: { reason: 'It is not valid UTF-8.' } })
  }
}

/** Engines quote the text in their messages; only where it broke is wanted. */
function jsonReason(message: string): string {
  const position = /at position (\d+)/.exec(message)?.[1]
  return position === undefined ? 'It is no valid JSON.' : `It is no valid JSON: see position ${position}.`
}

function nestsDeeperThan(text: string, limit: number): boolean {
  let depth = 0
  let quoted = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (quoted) {
      if (code === 0x5c) index++
      else if (code === 0x22) quoted = false
    } else if (code === 0x22) quoted = true
    else if (code === 0x7b || code === 0x5b) {
      depth++
      if (depth > limit) return true
    } else if (code === 0x7d || code === 0x5d) depth--
  }
  return false
}
