import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

// `npm start`: generates the Directory service, calls it with the generated client, serves it on SQLite, and checks it.

const command = resolve('dist/cli/specwright.js')
const folder = mkdtempSync(join(tmpdir(), 'specwright-'))
const token = 'local'
const report = 'conformance-report.html'

const say = text => process.stdout.write(`${text}\n`)

/** Runs a program, and resolves when it ends. */
function run(program, ...args) {
  return new Promise((done, fail) => {
    const child = spawn(program, args, { stdio: 'inherit', env: { ...process.env, SPECWRIGHT_TOKEN: token } })
    child.once('error', fail)
    child.once('exit', code => (code === 0 ? done() : fail(new Error(`${args[0]} ended with ${code}`))))
  })
}

const specwright = (...args) => run(process.execPath, command, ...args)

/** Starts the service, and resolves to its process and address when it is ready. */
function serve() {
  const args = [command, 'serve', 'spec/directory.yaml', '--store', 'sqlite::memory:']
  const child = spawn(process.execPath, [...args, '--port', '0', '--token', token, '--log', 'off'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return new Promise((ready, fail) => {
    child.once('error', fail)
    // No effect once the promise is resolved.
    child.once('exit', code => fail(new Error(`the service ended with ${code}`)))
    child.stdout.on('data', text => {
      const [, url] = /^listening (\S+)/.exec(String(text)) ?? []
      if (url !== undefined) ready({ child, url })
    })
  })
}

try {
  say('1. The Directory service, generated from spec/directory.yaml')
  await specwright(
    'generate',
    'spec/directory.yaml',
    '--out',
    'examples/directory/generated',
    '--only',
    'types,client,server',
  )
  await run(process.execPath, 'node_modules/typescript/bin/tsc', '-p', 'examples/directory')

  say('\n2. Its generated client against its generated server')
  await run(process.execPath, 'examples/directory/dist/main.js')

  say('\n3. The same service on SQLite, checked over HTTP')
  const { child, url } = await serve()
  const ended = new Promise(done => child.once('exit', done))
  try {
    say(`listening ${url}`)
    await specwright('conformance', url, '--spec', 'spec/directory.yaml', '--allow-writes', '--report', report)
  } finally {
    child.kill('SIGTERM')
    await ended
  }
  say(`\nThe report: ${resolve(report)}`)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
