/**
 * Measures whole generator processes, Specwright and peers in turn, and writes `results/generators.md`.
 *
 * `node generators/run.mjs [--rounds 5] [--slow] [--graph FILE] [--package FOLDER]`. `--slow` includes, for the large model,
 * the peers that take from ten seconds to minutes. `--graph` names the gzipped metadata of Microsoft Graph v1.0, to
 * measure it too. `--package` measures another built Specwright than the one around this folder.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { conditions, publish, table } from '../report.mjs'
import { raceChecks } from './check.mjs'
import {
  commandLine,
  peers,
  specwright,
  specwrightCompiled,
  specwrightImport,
  specwrightOverPackage,
} from './contenders.mjs'
import { race } from './race.mjs'
import { writeModel } from './write-model.mjs'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    slow: { type: 'boolean', default: false },
    graph: { type: 'string' },
    package: { type: 'string', default: fileURLToPath(new URL('../../', import.meta.url)) },
  },
})
const cli = commandLine(values.package)
const rounds = Number(values.rounds)
const largeSets = 500
const scalingSets = [100, 250, 500, 1000]

if (!existsSync(cli)) {
  console.error('dist/cli/specwright.js is missing: run `npm run build` in the folder above first.')
  process.exit(2)
}

const own = specwright(values.package)
const typesOfOpenapi = peers.find(({ name }) => name.startsWith('openapi-typescript '))
const typesOfExported = {
  ...typesOfOpenapi,
  makes: 'types, of the OpenAPI that `specwright export` makes of the same spec',
  reads: 'exported',
}
const folder = mkdtempSync(join(tmpdir(), 'specwright-models-'))
try {
  publish('generators', [
    '# Generators',
    conditions(
      `npm run generators -- --rounds ${rounds}${values.slow ? ' --slow' : ''}${values.graph === undefined ? '' : ' --graph FILE'}`,
    ),
    `Each figure is a whole process, from start to exit. Each generator runs ${rounds} times, alternating with the others. A time is the minimum of these runs, because anything above it is other work on the machine; the median beside it shows how quiet the machine was. "× time" is the wall time divided by that of the first line. Memory is the peak resident set.`,
    ...(await small()),
    ...(await large()),
    ...(await scaling()),
    ...(values.graph === undefined ? [] : await graph(values.graph)),
  ])
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function small() {
  const spec = fileURLToPath(new URL('../../spec/directory.yaml', import.meta.url))
  const inputs = { spec, openapi: exported(spec, 'openapi', 'json'), csdl: exported(spec, 'csdl-xml', 'xml') }
  const standings = await race(entries([...own, ...peers], inputs), { rounds, limit: 60 })
  return [
    '## Small: the Directory service',
    'Specwright reads `spec/directory.yaml`. The others read its export as OpenAPI 3.1 or CSDL.',
    standingsTable(standings),
    ...(await checked(inputs)),
  ]
}

async function large() {
  const inputs = writeModel(largeSets, folder)
  const able = peers.filter(peer => peer.reads === 'openapi' && (values.slow || !peer.slow))
  const standings = await race(entries([...own, ...able], inputs), { rounds, limit: 300 })
  return [
    `## Large: ${largeSets} entity sets with 12 properties each, ${(largeSets * 5).toLocaleString('en-US')} operations`,
    'A synthetic service (`generators/model.mjs`), as a spec and as a compact OpenAPI 3.1 document.',
    standingsTable(standings),
    ...(await checked({ ...inputs, exported: exported(inputs.spec, 'openapi', 'exported.json') })),
  ]
}

/** The largest public service of this kind. Its metadata is too large for this repository. */
async function graph(compressed) {
  const csdl = join(folder, 'graph.xml')
  const spec = join(folder, 'graph.yaml')
  writeFileSync(csdl, gunzipSync(readFileSync(compressed)))
  execFileSync(process.execPath, [cli, 'import', csdl, '--out', spec], { stdio: ['ignore', 'ignore', 'ignore'] })
  const inputs = { csdl, spec, openapi: exported(spec, 'openapi', 'json') }
  const contenders = [specwrightImport(values.package), own[0], typesOfOpenapi]
  const standings = await race(entries(contenders, inputs), { rounds, limit: 300 })
  return [
    '## Microsoft Graph v1.0',
    'The whole metadata is 3.4 MB of CSDL. The first line imports it and then generates, as two commands. The second line starts from the imported spec. openapi-typescript reads the export of that spec as OpenAPI.',
    standingsTable(standings),
    ...(await checked(inputs)),
  ]
}

/** The time of the compiler for the generated code. */
async function checked(inputs) {
  const [whole] = own
  const projects = mkdtempSync(join(folder, 'checks-'))
  const contenders = [
    whole,
    specwrightCompiled(values.package),
    specwrightOverPackage(values.package),
    typesOfOpenapi,
    ...(inputs.exported === undefined ? [] : [typesOfExported]),
  ]
  const checks = await raceChecks(entries(contenders, inputs), { rounds, folder: projects })
  const [base] = checks
  return [
    'The time that the compiler (TypeScript 7) takes to check the output in strict mode. By default, it also checks the declarations of the language and the browser; most projects skip these with `skipLibCheck`. In the first line, the runtime is TypeScript beside the output, so the compiler checks it too. In the next lines, it reads only the declarations of the runtime:',
    table(
      ['output of', 'holds', 'wall s', 'median', '× time', '`skipLibCheck` s', 'median', '× time'],
      checks.map(({ all, withoutLibraries }) => [
        all.contender.name,
        all.contender.makes,
        ...checkCells(all, base?.all),
        ...checkCells(withoutLibraries, base?.withoutLibraries),
      ]),
    ),
  ]
}

/** @param {import('./race.mjs').Standing} standing @param {import('./race.mjs').Standing | undefined} base */
function checkCells({ usage, medianWall, failure }, base) {
  if (failure !== undefined) return [failure.replaceAll('\n', ' '), '', '']
  return [
    seconds(usage.wall),
    seconds(medianWall),
    base?.usage === undefined ? '' : (usage.wall / base.usage.wall).toFixed(2),
  ]
}

async function scaling() {
  const [contender] = own
  const models = scalingSets.map(sets => ({ contender, input: writeModel(sets, folder).spec }))
  const standings = await race(models, { rounds, limit: 120 })
  const rows = standings.map((standing, index) => ({ sets: scalingSets[index], ...standing }))
  const [first] = rows
  return [
    '## Growth',
    'Specwright alone: types, client and server. "per further set" counts from the smallest model, which excludes the start-up time. It stays constant if time grows in proportion to the model.',
    table(
      ['sets', 'wall s', 'cpu s', 'MiB', 'lines', 'ms per further set'],
      rows.map(({ sets, usage, output, failure }) =>
        failure === undefined
          ? [
              sets,
              seconds(usage.wall),
              seconds(usage.cpu),
              Math.round(usage.memory),
              output.lines,
              growth(first, sets, usage),
            ]
          : [sets, failure, '', '', '', ''],
      ),
    ),
  ]
}

function growth(first, sets, usage) {
  if (sets === first.sets) return ''
  return `${(((usage.wall - first.usage.wall) * 1000) / (sets - first.sets)).toFixed(2)}`
}

function entries(contenders, inputs) {
  return contenders.map(contender => ({ contender, input: inputs[contender.reads] }))
}

function exported(spec, format, extension) {
  const file = join(folder, `${basename(spec, '.yaml')}.${extension}`)
  writeFileSync(file, execFileSync(process.execPath, [cli, 'export', spec, '--format', format], { maxBuffer: 2 ** 30 }))
  return file
}

function standingsTable(standings) {
  const base = standings[0]?.usage?.wall
  const columns = ['generator', 'makes', 'wall s', 'median', '× time', 'cpu s', 'MiB', 'files', 'KiB', 'lines']
  return table(
    columns,
    standings.map(({ contender, usage, medianWall, output, failure }) =>
      failure === undefined
        ? [
            contender.name,
            contender.makes,
            seconds(usage.wall),
            seconds(medianWall),
            base === undefined ? '' : (usage.wall / base).toFixed(2),
            seconds(usage.cpu),
            Math.round(usage.memory),
            output.files,
            output.kibibytes,
            output.lines,
          ]
        : [contender.name, contender.makes, failure.replaceAll('\n', ' '), ...columns.slice(3).map(() => '')],
    ),
  )
}

function seconds(value) {
  return value.toFixed(2)
}
