import type { ServerResponse } from 'node:http'
import { type HttpRefusal, refusalBody } from './http-refusal.js'

/** Answers a request that could be read, and that HTTP wants refused. What comes after it is another matter. */
export function refuseResponse(response: ServerResponse, refusal: HttpRefusal): void {
  const body = refusalBody(refusal)
  const type = 'application/json;charset=utf-8'
  response.writeHead(refusal.status, { 'content-type': type, 'content-length': Buffer.byteLength(body) })
  response.end(body)
}
