import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { root } from '../root.js'

/** A service that runs in a process of its own. */
export interface ServeProcess {
  /** Address of the service's root. */
  readonly url: string
  /** What it wrote on standard error so far. */
  readonly err: () => string
  /** Sends a signal and waits for the end. */
  readonly stop: (signal?: 'SIGTERM' | 'SIGINT' | 'SIGKILL') => Promise<ExitResult>
}

/** How a process ended, and all that it wrote. */
export interface ExitResult {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

const running = new Set<ChildProcess>()

/** Ends what a failed test left behind. */
export function killAll(): void {
  for (const child of running) child.kill('SIGKILL')
}

/** Runs `specwright serve` with arguments until it is ready, or has ended by itself. */
export async function runServe(args: readonly string[], cwd: string = root): Promise<ServeProcess | ExitResult> {
  const { ready, ended } = spawnServe(args, cwd)
  return Promise.race([ready, ended])
}

/**
 * The same, stopped while it loads.
 *
 * @param pipe a named pipe that it reads its data from
 * @param line an item of the data, by its number
 */
export async function interruptLoading(
  args: readonly string[],
  pipe: string,
  line: (number: number) => string,
  cwd: string,
): Promise<ExitResult> {
  const { child, ended } = spawnServe(args, cwd)
  const data = createWriteStream(pipe)
  // The reader goes away in the middle: that is the point.
  data.on('error', () => undefined)
  // A pipe opens when somebody reads from it.
  await Promise.race([once(data, 'open'), ended])
  child.kill('SIGTERM')
  let number = 0
  const feed = setInterval(() => data.write(line(number++)), 5)
  const result = await ended
  clearInterval(feed)
  data.destroy()
  return result
}

interface SpawnedServe {
  readonly child: ChildProcess
  readonly ready: Promise<ServeProcess>
  readonly ended: Promise<ExitResult>
}

function spawnServe(args: readonly string[], cwd: string): SpawnedServe {
  const child = spawn(process.execPath, [join(root, 'dist/cli/specwright.js'), 'serve', ...args], {
    cwd,
    env: { ...process.env, SPECWRIGHT_TOKEN: undefined, SPECWRIGHT_SECRET: undefined, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  let out = ''
  let err = ''
  child.stdout.on('data', chunk => {
    out += String(chunk)
  })
  child.stderr.on('data', chunk => {
    err += String(chunk)
  })
  const ended = new Promise<ExitResult>(resolve => {
    child.on('close', code => {
      running.delete(child)
      resolve({ code, out, err })
    })
  })
  const ready = new Promise<ServeProcess>(resolve => {
    child.stdout.on('data', () => {
      const url = /^listening (\S+)\n/m.exec(out)?.[1]
      if (url === undefined) return
      resolve({
        url,
        err: () => err,
        stop: (signal = 'SIGTERM') => {
          child.kill(signal)
          return ended
        },
      })
    })
  })
  return { child, ready, ended }
}

/** The same, which must become ready. */
export async function startServe(args: readonly string[], cwd?: string): Promise<ServeProcess> {
  const result = await runServe(args, cwd)
  if ('url' in result) return result
  throw new Error(`It ended with ${result.code}.\n${result.err}`)
}

/** The same, which must end by itself. */
export async function expectServeToFail(args: readonly string[], cwd?: string): Promise<ExitResult> {
  const result = await runServe(args, cwd)
  if ('url' in result) {
    await result.stop('SIGKILL')
    throw new Error(`It listens at ${result.url}.`)
  }
  return result
}
