import type { Outgoing } from '../outgoing.js'

/** What the core answers as a `Response`. */
export function responseOf(outgoing: Outgoing, method: string): Response {
  const bodiless = method === 'HEAD' || outgoing.status === 204 || outgoing.status === 304
  return new Response(bodiless ? null : (outgoing.body ?? null), { status: outgoing.status, headers: outgoing.headers })
}
