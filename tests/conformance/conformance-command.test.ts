import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadSpec, type Service } from '../../spec/language/index.js'
import { createMutantService, generateData } from '../mutants/index.js'
import { root } from '../root.js'

const command = join(root, 'dist', 'cli', 'specwright.js')
const spec = join(root, 'spec', 'directory.yaml')
const token = 'mutant-token'

type Target = (request: Request) => Promise<Response>

/** The result of a command line. */
interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

describe('specwright conformance', () => {
  let folder: string
  let service: Service
  let server: Server
  let target: Target
  let url: string
  let created: number
  /** Called for each created item, before the suite gets the response. */
  let onCreated: (count: number, path: string) => void

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'specwright-conformance-'))
    const loaded = await loadSpec(spec)
    if (loaded.service === undefined) throw new Error(`${spec} has errors`)
    service = loaded.service
    target = createMutantService({ service, data: generateData(service, { rows: 15 }) })
    created = 0
    onCreated = () => undefined
    server = createServer(async (request, response) => {
      const chunks: Uint8Array[] = []
      for await (const chunk of request) chunks.push(chunk)
      const method = request.method ?? 'GET'
      const headers = new Headers()
      for (const [name, value] of Object.entries(request.headers)) headers.set(name, String(value))
      const body = chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }
      const answer = await target(
        new Request(`http://${request.headers.host}${request.url}`, { method, headers, ...body }),
      )
      if (answer.status === 201) onCreated(++created, request.url ?? '')
      response.writeHead(answer.status, Object.fromEntries(answer.headers))
      response.end(Buffer.from(await answer.arrayBuffer()))
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/v1.0`
  })
  afterEach(async () => {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
    rmSync(folder, { recursive: true, force: true })
  })

  const start = (...args: readonly string[]): { readonly child: ChildProcess; readonly ended: Promise<Ended> } => {
    const child = spawn(process.execPath, [command, 'conformance', ...args], {
      cwd: folder,
      env: { ...process.env, SPECWRIGHT_TOKEN: token, NO_COLOR: '1' },
    })
    let out = ''
    let err = ''
    child.stdout.on('data', text => {
      out += text
    })
    child.stderr.on('data', text => {
      err += text
    })
    return { child, ended: new Promise(resolve => child.once('exit', code => resolve({ code, out, err }))) }
  }
  const run = (...args: readonly string[]): Promise<Ended> => start(...args).ended

  const allMessages = async (): Promise<string> => {
    const headers = { authorization: `Bearer ${token}` }
    return (await target(new Request('http://localhost/v1.0/me/messages?$top=1000', { headers }))).text()
  }

  it('checks a service, writes the named reports, and leaves nothing behind', async () => {
    const before = await allMessages()
    const reports = ['r.html', 'r.xml', 'r.json', 'r.sarif', 'r.txt']
    const args = reports.flatMap(name => ['--report', name])
    const { code, out, err } = await run(url, '--requests', '250', '--allow-writes', '--seed', '3', ...args)
    expect(err).not.toContain(token)
    expect(out).toMatch(/^(?:CONFORMS|PARTIAL) {2}No violation found/m)
    expect(code).toBe(0)
    expect(readdirSync(folder).sort()).toEqual(reports.sort())
    for (const name of reports) expect(readFileSync(join(folder, name), 'utf8')).not.toContain(token)
    expect(JSON.parse(readFileSync(join(folder, 'r.json'), 'utf8'))).toMatchObject({ violations: [], seed: 3 })
    expect(await allMessages()).toBe(before)
  })

  it('sends no request if a report could not be written, and keeps an existing report', async () => {
    writeFileSync(join(folder, 'old.html'), 'of the last run')
    const args = ['--report', 'new.json', '--report', 'old.html', '--report', 'old.html/r.xml']
    const { code, out, err } = await run(url, '--allow-writes', ...args)
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(/^error: The report old\.html\/r\.xml cannot be written \(\w+\), so nothing was checked\./)
    expect(created).toBe(0)
    expect(readdirSync(folder)).toEqual(['old.html'])
    expect(readFileSync(join(folder, 'old.html'), 'utf8')).toBe('of the last run')
  })

  it('can be killed at any moment: the journal names the items that are left, and --cleanup removes them', async () => {
    const before = await allMessages()
    const { child, ended } = start(url, '--allow-writes', '--only', 'writing,entity-tags', '--journal', 'j.jsonl')
    onCreated = (count, path) => {
      if (count >= 4 && path.endsWith('/messages')) child.kill('SIGKILL')
    }
    await ended
    expect(await allMessages()).not.toBe(before)
    const { code, out } = await run(url, '--cleanup', 'j.jsonl')
    expect([code, out]).toEqual([0, expect.stringMatching(/^\d+ items? removed, 0 left over/)])
    expect(await allMessages()).toBe(before)
    expect(existsSync(join(folder, 'j.jsonl'))).toBe(false)
  })

  it('on an interrupt, removes what it created and reports what it found', async () => {
    const before = await allMessages()
    const { child, ended } = start(url, '--allow-writes', '--only', 'writing,entity-tags')
    onCreated = count => {
      if (count === 3) child.kill('SIGINT')
    }
    const { code, out } = await ended
    expect(out).toContain('Stopped early')
    expect(code).toBe(4)
    expect(await allMessages()).toBe(before)
    expect(readdirSync(folder)).toEqual([])
  })

  it.each<[string, readonly string[], number, RegExp]>([
    ['an unknown rule', ['--only', 'no-such'], 2, /No rule or area matches "no-such"/],
    ['an invalid URL', ['nonsense'], 2, /^error: "nonsense" is not a valid address\./],
    ['no URL', [], 2, /Name the service/],
    ['no service there', ['http://127.0.0.1:1/v1.0'], 3, /UNREACHABLE/],
    ['an unknown rule to explain', ['--explain', 'filter-modle'], 2, /Did you mean filter-model\?/],
    ['known failures without a reason', ['--known-failures', 'k.yaml'], 2, /k\.yaml:1:3 .*reason/],
  ])('with %s reports it', async (name, args, expected, message) => {
    writeFileSync(join(folder, 'k.yaml'), '- rule: filter-model\n')
    const needsUrl = name === 'an unknown rule' || name.startsWith('known')
    const { code, out, err } = await run(...(needsUrl ? [url] : []), ...args)
    expect(`${out}${err}`).toMatch(message)
    expect(code).toBe(expected)
  })

  it('reports that the credential is rejected', async () => {
    const { code, out } = await run(url, '--token', 'wrong')
    expect([code, out]).toEqual([3, expect.stringContaining('REFUSED')])
  })

  it('reports insufficient coverage', async () => {
    const empty: Target = async () => Response.json({ value: [] })
    target = empty
    const { code } = await run(url, '--only', 'ordering,paging')
    expect(code).toBe(4)
  })

  it('lists all rules, and explains one', async () => {
    expect((await run('--list-rules')).out).toContain('filter-model')
    expect((await run('--explain', 'filter-model')).out).toMatch(/filter-model \(filter, must\)/)
  })
})
