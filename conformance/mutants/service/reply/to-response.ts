import type { Reply } from './reply.js'

/** An answer as HTTP has it. */
export function toResponse({ status, headers, json, text }: Reply, isBodyless: boolean): Response {
  const body = text ?? (json === undefined ? undefined : JSON.stringify(json))
  const all = new Headers({ 'OData-Version': '4.01' })
  if (body !== undefined) all.set('Content-Type', 'application/json')
  for (const [name, value] of Object.entries(headers)) all.set(name, value)
  const isEmpty = isBodyless || body === undefined || [204, 304].includes(status)
  return new Response(isEmpty ? null : body, { status, headers: all })
}
