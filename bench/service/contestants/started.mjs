import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/**
 * A service under measurement, running in its own process.
 *
 * @typedef {object} Running
 * @property {string} origin `http://127.0.0.1:8080`
 * @property {number} pid
 * @property {() => Promise<void>} stop
 */

/** The maximum number of seconds until a service listens. */
const patience = 300

/**
 * Starts a Node.js program and waits for the line with its address.
 *
 * @param {readonly string[]} args after `node`
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, pattern: RegExp }} options `pattern`: its group is the origin
 * @returns {Promise<Running>}
 */
export async function started(args, { cwd, env, pattern }) {
  const child = spawn(process.execPath, args, {
    ...(cwd && { cwd }),
    env: { ...process.env, NODE_ENV: 'production', NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = []
  const ended = once(child, 'exit')
  child.stderr.on('data', chunk => said.push(String(chunk)))
  const origin = await new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${args[0]} did not listen:\n${said.join('')}`)), patience * 1000)
    child.on('exit', code => reject(new Error(`${args[0]} ended with ${code}:\n${said.join('')}`)))
    createInterface({ input: child.stdout }).on('line', line => {
      said.push(`${line}\n`)
      const [, found] = pattern.exec(line) ?? []
      if (found === undefined) return
      clearTimeout(timer)
      resolve(found)
    })
  })
  return {
    origin,
    pid: child.pid,
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}
