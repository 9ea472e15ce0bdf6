// Reads one item after another in a thread of its own, so that the attack, which runs in the main thread, does not delay it.
import { Agent, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

const { url, token, ids, pause } = workerData
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
/** The reads of each phase at least. */
const fewest = 20

let times = []
let problems = []
const replies = []
parentPort.on('message', () => replies.push(times))

/** Reads an item. Resolves to the status and the body. */
function read(id) {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/topics/${id}`, { agent, headers: { authorization: `Bearer ${token}` } }, response => {
      let text = ''
      response.on('data', chunk => {
        text += String(chunk)
      })
      response.on('end', () => resolve({ status: response.statusCode, text }))
      response.on('error', reject)
    })
    sent.on('error', reject)
    sent.end()
  })
}

for (let index = 0; ; index++) {
  const id = ids[(index * 37) % ids.length]
  const start = performance.now()
  const { status, text } = await read(id).catch(error => ({ status: 0, text: String(error) }))
  times.push(performance.now() - start)
  if (status !== 200 || !text.includes(`"id":"${id}"`)) problems.push(`${status} for ${id}: ${text.slice(0, 300)}`)
  if (replies.length > 0 && (times.length >= fewest || problems.length > 0)) {
    replies.shift()
    parentPort.postMessage({ times, problems })
    times = []
    problems = []
  }
  await delay(pause)
}
