import type { Answer } from '../http/answer.js'

/** A line for a shell that sends the same request; the credential is `$TOKEN`. */
export function curlLine({ request, ask }: Pick<Answer, 'request' | 'ask'>): string {
  const parts = ['curl', '-i']
  if (request.method === 'HEAD') parts.push('-I')
  else if (request.method !== 'GET') parts.push('-X', request.method)
  if (ask.credential === undefined || ask.credential === 'own') parts.push('-H', '"Authorization: Bearer $TOKEN"')
  if (ask.credential === 'broken') parts.push('-H', quoted('authorization: Bearer not-a-token'))
  for (const [name, value] of Object.entries(request.headers)) {
    if (name !== 'accept') parts.push('-H', quoted(`${name}: ${value}`))
  }
  if (request.body !== undefined) parts.push('--data-raw', quoted(request.body))
  parts.push(quoted(request.url))
  return parts.join(' ')
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
