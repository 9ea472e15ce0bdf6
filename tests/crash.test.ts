import { execFile, spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type EngineName, type StoreMaker, storeMaker } from '../reference/testing/engines.js'
import { type Json, linkOf, memberOf, openService, type TestedService } from '../reference/testing/open-service.js'
import { root } from './root.js'

/** How often each engine's service is killed. More are for who has the time: CRASH_ROUNDS=200. */
const rounds = Number(process.env['CRASH_ROUNDS'] ?? 4)
const spec = join(root, 'tests', 'crash', 'things.yaml')

describe.each<EngineName>(['sqlite', 'postgres'])('a service on %s that is killed', engine => {
  let maker: StoreMaker
  let folder: string
  let compiled: string
  let store: string

  beforeAll(async () => {
    maker = await storeMaker(engine)
    folder = await mkdtemp(join(tmpdir(), 'specwright-crash-'))
    // Compiled code finds its packages from within the project only.
    await mkdir(join(root, 'node_modules', '.cache'), { recursive: true })
    compiled = await mkdtemp(join(root, 'node_modules', '.cache', 'specwright-crash-'))
    const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
    const project = ['-p', join(root, 'tsconfig.build.json'), '--outDir', compiled]
    await promisify(execFile)(process.execPath, [compiler, ...project])
    store = engine === 'sqlite' ? `sqlite:${join(folder, 'store.db')}` : await maker.make()
  })
  afterAll(async () => {
    await maker.stop()
    await rm(folder, { recursive: true })
    await rm(compiled, { recursive: true })
  })

  it('has every write that it acknowledged, and none by half', { timeout: 60_000 + rounds * 10_000 }, async () => {
    const acknowledged = new Map<string, string>()
    let link = await firstLink(store)
    for (let round = 0; round < rounds; round++) {
      for (const line of await killedWriter(compiled, store, round)) {
        const [state = '', id = ''] = line.split(' ')
        acknowledged.set(id, state)
      }
      const service = await openService(spec, store)
      const things = await everything(service)
      for (const [id, state] of acknowledged) expect(isKept(things.get(id), state), `${id} was ${state}`).toBe(true)
      for (const [id, thing] of things) {
        expect(memberOf(thing, 'note'), `both texts of ${id}`).toBe(memberOf(thing, 'name'))
        const [state = ''] = String(memberOf(thing, 'name')).split(' ')
        acknowledged.set(id, state)
        if (!id.startsWith(`${round}-`)) continue
        const phrase = encodeURIComponent(`"${state} ${id.replaceAll('-', ' ')}"`)
        const found = await service.ask(`/things?$search=${phrase}&$select=id`)
        expect(found.text, `the words of ${id}`).toContain(`"id":"${id}"`)
      }
      const followed = await follow(service, link)
      for (const id of acknowledged.keys()) {
        if (id.startsWith(`${round}-`)) expect(followed.told.has(id), `the change of ${id}`).toBe(true)
      }
      link = followed.link
      await service.reference.close()
    }
    expect(acknowledged.size).toBeGreaterThan(rounds)
  })
})

/** A link that tells of changes from now on. What came and went before anyone asked would be told to nobody. */
async function firstLink(store: string): Promise<string> {
  const service = await openService(spec, store)
  await service.ask('/things', { method: 'POST', body: { id: 'seed', name: 'made seed', note: 'made seed' } })
  const { link } = await follow(service, '/things/delta')
  await service.reference.close()
  return link
}

/** What an acknowledged state allows: later ones may have happened before the end, without their acknowledgement. */
function isKept(thing: Json, state: string): boolean {
  const name = String(memberOf(thing, 'name') ?? '')
  if (state === 'deleted') return thing === undefined
  if (state === 'changed') return thing === undefined || name.startsWith('changed ')
  return thing === undefined || name !== ''
}

/** The lines of a writer that is killed at a random moment. */
function killedWriter(compiled: string, store: string, round: number): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    const writer = join(root, 'tests', 'crash', 'writer.mjs')
    const child = spawn(process.execPath, [writer, compiled, spec, store, String(round)])
    let output = ''
    let problem = ''
    child.stderr.on('data', (chunk: Buffer) => {
      problem += String(chunk)
    })
    child.stdout.on('data', (chunk: Buffer) => {
      if (output === '') setTimeout(() => child.kill('SIGKILL'), 50 + Math.random() * 300)
      output += String(chunk)
    })
    child.on('close', (_code, signal) => {
      const [, ...lines] = output.slice(0, output.lastIndexOf('\n')).split('\n')
      if (signal === 'SIGKILL') resolve(lines)
      else reject(new Error(`The writer ended by itself. ${problem}`))
    })
  })
}

async function everything(service: TestedService): Promise<ReadonlyMap<string, Json>> {
  const things = new Map<string, Json>()
  for (let link: string | undefined = '/things'; link !== undefined; ) {
    const page = await service.ask(link)
    const value = memberOf(page.json, 'value')
    for (const thing of Array.isArray(value) ? value : []) things.set(String(memberOf(thing, 'id')), thing)
    link = linkOf(page, 'nextLink')
  }
  return things
}

async function follow(service: TestedService, begin: string) {
  const told = new Set<string>()
  for (let link = begin; ; ) {
    const page = await service.ask(link)
    const value = memberOf(page.json, 'value')
    for (const thing of Array.isArray(value) ? value : []) told.add(String(memberOf(thing, 'id')))
    const next = linkOf(page, 'nextLink')
    if (next === undefined) return { told, link: linkOf(page, 'deltaLink') ?? begin }
    link = next
  }
}
