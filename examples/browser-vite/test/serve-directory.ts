import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/** A reference service in a separate process. */
export interface ServedDirectory {
  readonly url: string
  readonly stop: () => Promise<unknown>
}

const specwright = join(createRequire(import.meta.url).resolve('specwright/package.json'), '../dist/cli/specwright.js')

/** Serves the Directory service with its own data, to pages of one origin. */
export async function serveDirectory(token: string, origin: string): Promise<ServedDirectory> {
  const child = spawn(
    process.execPath,
    [specwright, 'serve', '--port', '0', '--token', token, '--cors', origin, '--log', 'off'],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  )
  const ended = once(child, 'exit')
  const stop = async (): Promise<unknown> => {
    child.kill('SIGTERM')
    return ended
  }
  for await (const text of child.stdout) {
    const url = /^listening (\S+)/m.exec(String(text))?.[1]
    if (url !== undefined) return { url, stop }
  }
  throw new Error('The service ended before it listened.')
}
