import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'

const folder = import.meta.dirname

/** A running service in SAP CAP. */
export interface Cap {
  /** `http://localhost:40113/catalog` */
  readonly url: string
  readonly stop: () => Promise<void>
}

/**
 * Serves the bookshop of this folder with SAP CAP, on a free port and with a database in memory.
 *
 * @throws {Error} with its output, if it ends before it listens
 */
export async function serveCap(): Promise<Cap> {
  const program = createRequire(import.meta.url).resolve('@sap/cds/bin/serve.js')
  const child = spawn(process.execPath, [program, 'all', '--in-memory', '--port', '0'], {
    cwd: folder,
    env: { ...process.env, NODE_ENV: 'test', NO_COLOR: '1', FORCE_COLOR: undefined },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said: string[] = []
  const closed = once(child, 'close')
  child.stderr.on('data', chunk => said.push(String(chunk)))
  const origin = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', line => {
      said.push(`${line}\n`)
      const found = /listening on .*(http:\/\/[^ '}/]+)/.exec(line)?.[1]
      if (found !== undefined) resolve(found)
    })
    child.once('close', code => reject(new Error(`SAP CAP ended with ${code}:\n${said.join('')}`)))
  })
  return {
    url: `${origin}/catalog`,
    stop: async () => {
      child.kill('SIGTERM')
      await closed
    },
  }
}
