import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

// Uses every metadata document in a folder as a user of the commands would: `npm run metadata -- --help`.

const help = `npm run metadata -- FOLDER [options]
  FOLDER            metadata documents: .xml, .edmx, .csdl or .json, also in folders below
  --only TEXT       only documents whose path contains TEXT
  --rows N          seeded items of each entity set (default 12)
  --seed N          the seed of the data and of the conformance run (default 1)
  --requests N      maximum number of requests of a conformance run (default 400)
  --seconds N       time limit of each step (default 300)
  --keep FOLDER     keep spec, data and report of each document there (default: remove them)
  --json            print the results as JSON, one document a line

For each document: import, validate, generate, compile with tsc --strict, seed, serve, conformance. Prints how far each came.
Exits with 1 if the import of a document gives an invalid spec, generated code does not compile, seeded data do not load, or the
conformance suite reports a violation of the reference service.
`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', default: '' },
    rows: { type: 'string', default: '12' },
    seed: { type: 'string', default: '1' },
    requests: { type: 'string', default: '400' },
    seconds: { type: 'string', default: '300' },
    keep: { type: 'string' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const root = fileURLToPath(new URL('..', import.meta.url))
const command = join(root, 'dist/cli/specwright.js')
const compiler = join(root, 'node_modules/typescript/bin/tsc')
const [folder] = positionals

if (values.help || folder === undefined) {
  process.stdout.write(help)
  process.exitCode = values.help ? 0 : 2
} else await useAll(resolve(folder))

async function useAll(folder) {
  const documents = readdirSync(folder, { recursive: true })
    .filter(path => /\.(?:xml|edmx|csdl|json)$/i.test(path) && path.includes(values.only))
    .filter(path => statSync(join(folder, path)).isFile())
    .sort()
  if (documents.length === 0) {
    process.stderr.write('No metadata document matches.\n')
    process.exitCode = 1
    return
  }
  const work = values.keep === undefined ? mkdtempSync(join(tmpdir(), 'specwright-metadata-')) : resolve(values.keep)
  const results = []
  for (const [index, document] of documents.entries()) {
    const place = join(work, `${index + 1}`)
    rmSync(place, { recursive: true, force: true })
    mkdirSync(place, { recursive: true })
    const result = { document, place, ...(await use(join(folder, document), place)) }
    results.push(result)
    process.stdout.write(values.json ? `${JSON.stringify(result)}\n` : `${lineOf(result)}\n`)
    if (values.keep === undefined) rmSync(place, { recursive: true, force: true })
  }
  if (values.keep === undefined) rmSync(work, { recursive: true, force: true })
  const wrong = results.filter(({ isWrong }) => isWrong)
  const served = results.filter(({ requests }) => requests !== undefined).length
  process.stderr.write(`${results.length} documents, ${served} served and checked, ${wrong.length} with a fault.\n`)
  process.exitCode = wrong.length > 0 ? 1 : 0
}

/** All steps with one document, in a folder of its own, up to the first that fails. */
async function use(document, place) {
  const imported = await specwright(['import', document, '--out', 'model.yaml', '--name', 'svc', '--json'], place)
  if (imported.code !== 0) {
    const { diagnostics = [] } = parse(imported.out)
    const isWrong = imported.code !== 1
    return { refused: firstMessage(diagnostics) ?? imported.err.trim(), isWrong, milliseconds: imported.milliseconds }
  }
  const { types, operations, paths, diagnostics } = parse(imported.out)
  const model = { types, operations, paths, reported: diagnostics.length, milliseconds: imported.milliseconds }
  const failed = (step, { out, err }) => ({ ...model, failed: step, why: (out + err).trim(), isWrong: true })

  const validated = await specwright(['validate', 'model.yaml'], place)
  if (validated.code !== 0) return failed('validate', validated)
  const generated = await specwright(
    ['generate', 'model.yaml', '--out', 'generated', '--import-extension', 'js'],
    place,
  )
  if (generated.code !== 0) return failed('generate', generated)
  writeFileSync(join(place, 'package.json'), '{ "type": "module" }')
  const compilerOptions = { strict: true, target: 'es2022', lib: ['es2022', 'dom'], module: 'nodenext', types: [] }
  const configuration = { compilerOptions: { ...compilerOptions, noEmit: true }, include: ['generated/**/*'] }
  writeFileSync(join(place, 'tsconfig.json'), JSON.stringify(configuration))
  const compiled = await run([compiler, '-p', '.'], place)
  const compileErrors = compiled.code === 0 ? {} : { compileErrors: (compiled.out + compiled.err).trim() }

  const seedOptions = ['--rows', values.rows, '--seed', values.seed, '--out', 'model.data.jsonl']
  const seeded = await specwright(['seed', 'model.yaml', ...seedOptions], place)
  const data = seeded.code === 0 ? 'model.data.jsonl' : 'none'
  const service = await serve(
    ['serve', 'model.yaml', '--port', '0', '--data', data, '--token', 't', '--log', 'off'],
    place,
  )
  if (service.url === undefined && service.err.includes('too many columns')) {
    return {
      ...model,
      ...compileErrors,
      verdict: 'more columns than a table can have: not served',
      isWrong: compiled.code !== 0,
    }
  }
  if (service.url === undefined) return { ...failed('serve', service), ...compileErrors }
  try {
    const target = [service.url, '--spec', 'model.yaml', '--token', 't', '--allow-writes', '--seed', values.seed]
    const limits = ['--requests', values.requests, '--report', 'report.json', '--format', 'plain']
    const checked = await specwright(['conformance', ...target, ...limits], place)
    if (![0, 1, 4].includes(checked.code)) return failed('conformance', checked)
    const { violations, verdict, requests } = parse(readFileSync(join(place, 'report.json'), 'utf8'))
    const accusations = violations.map(({ rule, site, message }) => `${rule} at ${site}: ${message}`)
    const noData = seeded.code === 0 ? {} : { noData: (seeded.out + seeded.err).trim() }
    const isWrong = accusations.length > 0 || compiled.code !== 0
    return { ...model, ...compileErrors, ...noData, verdict, requests, accusations, isWrong }
  } finally {
    await service.stop()
  }
}

function specwright(args, cwd) {
  return run([command, ...args], cwd)
}

/** Runs Node.js with the arguments, no longer than the time limit. */
function run(args, cwd) {
  const start = performance.now()
  const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  const texts = textsOf(child)
  const timer = setTimeout(() => child.kill('SIGKILL'), Number(values.seconds) * 1000)
  return new Promise(done => {
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      if (signal !== null) texts.err += `\nended by ${signal}: the limit of a step is ${values.seconds} s`
      done({ code, ...texts, milliseconds: Math.round(performance.now() - start) })
    })
  })
}

/** Starts the service; without `url` if it ends before it listens. */
function serve(args, cwd) {
  const child = spawn(process.execPath, [command, ...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  const texts = textsOf(child)
  const timer = setTimeout(() => child.kill('SIGKILL'), Number(values.seconds) * 1000)
  const ended = new Promise(done => child.on('close', done))
  const stop = () => {
    child.kill('SIGTERM')
    return ended
  }
  return new Promise(done => {
    child.stdout.on('data', () => {
      const [, url] = /^listening (\S+)/m.exec(texts.out) ?? []
      if (url === undefined) return
      clearTimeout(timer)
      done({ ...texts, url, stop })
    })
    child.on('close', () => {
      clearTimeout(timer)
      done(texts)
    })
  })
}

/** What a process writes, so far. */
function textsOf(child) {
  const texts = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', text => {
    texts.out += text
  })
  child.stderr.setEncoding('utf8').on('data', text => {
    texts.err += text
  })
  return texts
}

function parse(text) {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

function firstMessage(diagnostics) {
  return diagnostics.find(({ severity }) => severity === 'error')?.message
}

function lineOf(result) {
  const { document, refused, types, operations, paths, failed, why, compileErrors, noData, verdict, requests } = result
  const name = relative('.', document)
  if (refused !== undefined) return `refused    ${name}: ${refused.split('\n', 1)[0]}`
  const { accusations = [] } = result
  const checked = requests === undefined ? verdict : `${verdict}, ${requests} requests`
  const end = failed === undefined ? checked : `${failed}: ${start(why)}`
  const head = `${result.isWrong ? 'FAULT     ' : 'ok        '} ${name}: ${types} types, ${operations} operations, ${paths} paths; ${end}`
  const details = [
    ...(compileErrors === undefined ? [] : [`does not compile: ${start(compileErrors)}`]),
    ...(noData === undefined ? [] : [`without data: ${start(noData)}`]),
    ...accusations,
  ]
  return [head, ...details.map(each => `    ${each}`)].join('\n')
}

function start(text) {
  return text.split('\n', 3).join(' / ')
}
