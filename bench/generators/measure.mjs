import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const probe = fileURLToPath(new URL('usage-probe.cjs', import.meta.url))

/**
 * The cost of one run of a whole process, from start to exit.
 *
 * @typedef {object} Usage
 * @property {number} wall seconds
 * @property {number} cpu seconds of user and system time, all threads, of the process and the Node processes it started
 * @property {number} memory peak resident set of the largest of these processes, MiB
 *
 * @typedef {object} Output
 * @property {number} files
 * @property {number} kibibytes
 * @property {number} lines
 */

/**
 * Runs a Node.js program in a new folder, with an empty folder to write to. Removes both afterwards.
 *
 * @param {(out: string) => readonly string[]} command the arguments after `node`, given the folder to write to
 * @param {number} limit seconds after which it is stopped
 * @returns {Promise<{ usage: Usage, output: Output } | { failure: string }>}
 */
export async function measure(command, limit) {
  const folder = mkdtempSync(join(tmpdir(), 'specwright-bench-'))
  const usageFile = join(folder, 'usage')
  const out = join(folder, 'out')
  mkdirSync(out)
  // As in a TypeScript project. @odata2ts/odata2ts does not start without it.
  writeFileSync(join(folder, 'tsconfig.json'), '{}')
  try {
    const started = process.hrtime.bigint()
    const { code, stderr } = await run(command(out), { cwd: folder, usageFile, limit })
    const wall = Number(process.hrtime.bigint() - started) / 1e9
    if (code !== 0)
      return { failure: code === null ? `stopped after ${limit} s` : `exit ${code}: ${lastLine(stderr, folder)}` }
    return { usage: { wall, ...processUsage(usageFile) }, output: outputOf(out) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function run(args, { cwd, usageFile, limit }) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd,
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: limit * 1000,
      env: {
        ...process.env,
        NODE_OPTIONS: `--require ${JSON.stringify(probe)}`,
        BENCH_USAGE_FILE: usageFile,
        NO_COLOR: '1',
        CI: 'true',
      },
    })
    let stderr = ''
    child.stderr.on('data', chunk => {
      stderr += chunk
    })
    child.on('error', reject)
    child.on('close', code => resolve({ code, stderr }))
  })
}

function lastLine(text, folder) {
  const line = text.trim().split('\n').at(-1) ?? ''
  return line.replaceAll(folder, '').slice(0, 200)
}

function processUsage(file) {
  const processes = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map(line => line.split(' ').map(Number))
  return {
    cpu: processes.reduce((sum, [cpu = 0]) => sum + cpu, 0) / 1e6,
    memory: Math.max(...processes.map(([, resident = 0]) => resident)) / 1024,
  }
}

function outputOf(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  const texts = files.map(file => readFileSync(join(file.parentPath, file.name)))
  return {
    files: files.length,
    kibibytes: Math.round(texts.reduce((sum, text) => sum + text.length, 0) / 1024),
    lines: texts.reduce((sum, text) => sum + text.reduce((count, byte) => count + (byte === 10 ? 1 : 0), 0), 0),
  }
}
