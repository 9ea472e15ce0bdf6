/**
 * Puts a service under load and prints the result as JSON: `node load.mjs` with a {@link Load} on standard input. It runs in
 * its own process and speaks HTTP/1.1 over bare sockets, so that it takes little processor time from the service.
 *
 * @typedef {object} Load
 * @property {string} origin
 * @property {number} connections kept alive; each sends its next request when it has the answer
 * @property {number} seconds
 * @property {readonly { method: string, target: string, headers: Record<string, string>, body?: string }[]} requests sent
 *   in turn, by each connection from another one on
 *
 * @typedef {object} Outcome
 * @property {number} requests that were answered
 * @property {number} perSecond
 * @property {number} p50 milliseconds
 * @property {number} p99 milliseconds
 * @property {string} [failure] the first answer that was no success
 */
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'

const { origin, connections, seconds, requests } = JSON.parse(await text(process.stdin))
const { hostname, port, host } = new URL(origin)
const prepared = requests.map(request => Buffer.from(written(request)))
const times = []
let failure

const begun = performance.now()
const end = begun + seconds * 1000
await Promise.all(
  Array.from({ length: connections }, (_, at) => converse(Math.floor((at * prepared.length) / connections))),
)
const elapsed = performance.now() - begun
times.sort((one, other) => one - other)
console.log(
  JSON.stringify({
    requests: times.length,
    perSecond: (times.length * 1000) / elapsed,
    p50: quantile(0.5),
    p99: quantile(0.99),
    ...(failure === undefined ? {} : { failure }),
  }),
)

function quantile(share) {
  return times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
}

function written({ method, target, headers, body }) {
  const all = {
    host,
    accept: 'application/json',
    ...headers,
    ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`
}

/** Sends requests on one connection until the time is up. */
function converse(first) {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true })
    let next = first
    let sent = 0
    let rest = Buffer.alloc(0)
    const ask = () => {
      sent = performance.now()
      socket.write(prepared[next])
      next = (next + 1) % prepared.length
    }
    socket.on('connect', ask)
    socket.on('error', reject)
    socket.on('data', chunk => {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      if (!isWhole(rest)) return
      const now = performance.now()
      times.push(now - sent)
      if (rest[9] !== 0x32) failure ??= rest.toString('utf8', 0, 600)
      rest = Buffer.alloc(0)
      if (now < end && failure === undefined) return ask()
      socket.destroy()
      resolve()
    })
    socket.on('close', resolve)
  })
}

/** Whether a response is complete: by its length, or by its last chunk. */
function isWhole(bytes) {
  const head = bytes.indexOf('\r\n\r\n')
  if (head < 0) return false
  const fields = bytes.latin1Slice(0, head).toLowerCase()
  const [, length] = /\r\ncontent-length: *(\d+)/.exec(fields) ?? []
  if (length !== undefined) return bytes.length >= head + 4 + Number(length)
  return bytes.latin1Slice(bytes.length - 5) === '0\r\n\r\n'
}
