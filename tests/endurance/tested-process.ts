import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createRandom } from '../fuzz/random.js'
import { root } from '../root.js'
import { type ServeProcess, startServe } from '../serve/serve-process.js'
import { createHttpClient } from './http-client.js'
import type { MemorySample } from './memory.js'
import type { SteppedClock } from './stepped-clock.js'
import { createWorkload, type Outcome, type Workload } from './workload.js'

const spec = join(root, 'tests', 'endurance', 'notes.yaml')

/** A service in a process of its own, which can be restarted at the same port, and the workload for it. */
export interface TestedProcess {
  readonly name: string
  readonly workload: Workload
  /** Its memory and processes so far. */
  readonly memory: () => Promise<Omit<MemorySample, 'at'>>
  /** The requests that got 503 because the disk was full. */
  readonly refusedAsFull: () => number
  /** The status of the health check and its word; `none` if there is no answer. */
  readonly health: () => Promise<string>
  readonly restart: (signal: 'SIGTERM' | 'SIGKILL', whileStopped?: () => Promise<void>) => Promise<void>
  readonly stop: () => Promise<void>
  /** The errors that it logged until it last ended, but those of the full disk. */
  readonly errors: readonly string[]
}

/** What a service is tested with. */
interface TestedProcessOptions {
  readonly args: readonly string[]
  /** Signs the token. */
  readonly secret: string
  readonly token: string
  readonly clock: SteppedClock
  /** The number of notes. */
  readonly level: number
  readonly seed: number
}

/** Starts a service. */
export async function startTestedProcess(
  name: string,
  { args, secret, token, clock, level, seed }: TestedProcessOptions,
): Promise<TestedProcess> {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const fixed = ['--log', 'off', '--data', 'none', '--metrics', '--workers', '1']
  const start = (): Promise<ServeProcess> =>
    startServe([spec, '--port', String(port), ...fixed, '--secret', secret, ...args], undefined, clock.environment)
  const client = createHttpClient(`${origin}/v1`, token)
  const workload = createWorkload(client.send, level, createRandom(seed), clock.now)
  const errors: string[] = []
  let current = await start()
  let life = 1
  let full = 0
  const step = async (): Promise<Outcome> => {
    const outcome = await workload.step()
    if (outcome === 'full') full++
    return outcome
  }
  const end = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
    const { code, err } = await current.stop(signal)
    errors.push(...errorsIn(err))
    if (signal === 'SIGTERM' && code !== 0) throw new Error(`${name} ended with ${code}.`)
  }
  return {
    name,
    workload: { ...workload, step },
    memory: async () => {
      const status = await readFile(`/proc/${current.pid}/status`, 'utf8')
      const metrics = await (await fetch(`${origin}/metrics`)).text()
      const resident = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024
      return { life, resident, heap: Number(/^nodejs_heap_size_used_bytes (\S+)/m.exec(metrics)?.[1]) }
    },
    refusedAsFull: () => full,
    health: async () => {
      try {
        const response = await fetch(`${origin}/healthz`, { signal: AbortSignal.timeout(5_000) })
        return `${response.status} ${/"status":"(\w+)"/.exec(await response.text())?.[1]}`
      } catch {
        return 'none'
      }
    },
    restart: async (signal, whileStopped) => {
      await end(signal)
      await whileStopped?.()
      current = await start()
      life++
    },
    stop: async () => {
      client.close()
      await end('SIGTERM')
    },
    errors,
  }
}

/** The errors of a log, each with its stack, but those of the full disk and of reads that took too long. */
function errorsIn(log: string): readonly string[] {
  return log
    .split(/\n(?=\S)/)
    .filter(entry => /error/i.test(entry) && !/The store refused the statement: (?:full|tooSlow)\./.test(entry))
    .slice(0, 50)
    .map(entry => entry.slice(0, 1_500))
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise(resolve => server.close(resolve))
  if (typeof address !== 'object' || address === null) throw new Error('There is no free port.')
  return address.port
}
