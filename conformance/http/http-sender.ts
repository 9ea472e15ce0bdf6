import { Agent, type IncomingMessage, request as openHttp } from 'node:http'
import { request as openHttps, Agent as SecureAgent } from 'node:https'
import { readMessage } from './read-message.js'
import type { Sender } from './sender.js'

/** What bodies may come packed in. */
const acceptEncoding = 'gzip, deflate, br'

/**
 * Sends requests over connections that are kept. The global `fetch` would do the same for more than twice the processor
 * time, which counts with thousands of requests.
 */
export function httpSender(protocol: 'http:' | 'https:'): Sender {
  const open = protocol === 'https:' ? openHttps : openHttp
  const agent = protocol === 'https:' ? new SecureAgent({ keepAlive: true }) : new Agent({ keepAlive: true })
  return ({ method, url, headers, body }, bodyLimit) => {
    const outgoing = open(new URL(url), { method, agent, headers: { 'accept-encoding': acceptEncoding, ...headers } })
    const answer = new Promise<IncomingMessage>((resolve, reject) => {
      outgoing.on('response', resolve)
      outgoing.on('error', reject)
    }).then(incoming => readMessage(incoming, bodyLimit))
    outgoing.end(body)
    return { answer, cancel: () => outgoing.destroy() }
  }
}
