// Reads one item after another in a process of its own, as another caller would, so that the attack does not delay it.
import { Agent, request } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'

const { url, token, ids, pause } = JSON.parse(process.argv[2])
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
/** The reads of each phase at least. */
const fewest = 20

/** How late this process runs its own timers, which the times of its reads include. */
const lateness = monitorEventLoopDelay({ resolution: 1 })
lateness.enable()
const toMilliseconds = nanoseconds => nanoseconds / 1e6

let times = []
let problems = []
let phases = 0
process.on('message', () => phases++)
process.on('disconnect', () => process.exit())

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
  if (phases > 0 && (times.length >= fewest || problems.length > 0)) {
    phases--
    const late = { p99: toMilliseconds(lateness.percentile(99)), max: toMilliseconds(lateness.max) }
    process.send({ times, problems, late })
    times = []
    problems = []
    lateness.reset()
  }
  await delay(pause)
}
