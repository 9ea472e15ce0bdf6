import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { root } from '../root.js'

/** A service in a separate process. */
export interface ServeProcess {
  /** Address of the service's root. */
  readonly url: string
  readonly pid: number
  /** Its output to standard error so far. */
  readonly err: () => string
  /** Sends a signal and waits for the end. */
  readonly stop: (signal?: 'SIGTERM' | 'SIGINT' | 'SIGKILL') => Promise<ExitResult>
}

/** The exit code of a process, and all of its output. */
interface ExitResult {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

const running = new Set<ChildProcess>()

/** Kills all processes, including those that a failed test left. */
export function killAll(): void {
  for (const child of running) child.kill('SIGKILL')
}

/** Runs `specwright serve` until it is ready or has ended. */
async function runServe(
  args: readonly string[],
  cwd: string = root,
  env?: Readonly<Record<string, string>>,
): Promise<ServeProcess | ExitResult> {
  const { ready, ended } = spawnServe(args, cwd, env)
  return Promise.race([ready, ended])
}

/**
 * Runs `specwright serve` and stops it while it loads data.
 *
 * @param pipe a named pipe from which it reads its data
 * @param line the item of the data with a number
 */
export async function interruptLoading(
  args: readonly string[],
  pipe: string,
  line: (number: number) => string,
  cwd: string,
): Promise<ExitResult> {
  const { child, ended } = spawnServe(args, cwd)
  const data = createWriteStream(pipe)
  // The test makes the reader disappear while data is written.
  data.on('error', () => undefined)
  // A pipe opens when it has a reader.
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

function spawnServe(args: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {}): SpawnedServe {
  const child = spawn(process.execPath, [join(root, 'dist/cli/specwright.js'), 'serve', ...args], {
    cwd,
    env: { ...process.env, SPECWRIGHT_TOKEN: undefined, SPECWRIGHT_SECRET: undefined, NO_COLOR: '1', ...env },
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
        pid: child.pid ?? 0,
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

/** Starts `specwright serve`. @throws {Error} if it ends instead of becoming ready */
export async function startServe(
  args: readonly string[],
  cwd?: string,
  env?: Readonly<Record<string, string>>,
): Promise<ServeProcess> {
  const result = await runServe(args, cwd, env)
  if ('url' in result) return result
  throw new Error(`It ended with ${result.code}.\n${result.err}`)
}

/** Runs `specwright serve` with arguments that make it fail. @throws {Error} if it becomes ready */
export async function expectServeToFail(args: readonly string[], cwd?: string): Promise<ExitResult> {
  const result = await runServe(args, cwd)
  if ('url' in result) {
    await result.stop('SIGKILL')
    throw new Error(`It listens at ${result.url}.`)
  }
  return result
}
