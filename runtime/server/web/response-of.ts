import type { Outgoing } from '../outgoing.js'

/** What the core answers as a `Response`. */
export function responseOf(outgoing: Outgoing, method: string): Response {
  const bodiless = method === 'HEAD' || outgoing.status === 204 || outgoing.status === 304
  const { status, headers, body } = outgoing
  // A copy: the compiler, from TypeScript 5.7 on, asks whether bytes may be shared with other threads.
  const content = typeof body === 'object' && body !== null ? body.slice(0) : (body ?? null)
  return new Response(bodiless ? null : content, { status, headers })
}
