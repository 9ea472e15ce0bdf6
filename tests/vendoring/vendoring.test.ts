import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ArtefactName, generate } from '../../generator/index.js'
import { root } from '../root.js'
import { type EmptyProject, emptyProject } from './project.js'

interface Vendored {
  readonly service: 'directory' | 'library'
  readonly only: readonly ArtefactName[] | undefined
  /** A program that uses what was generated into `api/`. */
  readonly main: string
  /** What it prints. */
  readonly prints: string
}

const clientMain = (create: string, call: string) => `
import { ${create} } from './api/client.js'
const sent: string[] = []
const client = ${create}({
  baseUrl: 'https://service.example/root',
  token: 'secret',
  fetch: async (url, { method, headers }) => {
    sent.push(method + ' ' + url + ' ' + (headers.get('authorization') ?? ''))
    return Response.json({ value: [] })
  },
})
await ${call}.page()
console.log(sent.join())
`

const wholeMain = (create: string, options: string, handlers: string, call: string) => `
import { ${create} as createClient } from './api/client.js'
import { ${create} as createService } from './api/server.js'
import { handlers } from './api/handlers/index.js'
const unwritten = createService(handlers, { ${options} })
const service = createService({ ${handlers} }, { ${options} })
const client = createClient({
  baseUrl: 'https://service.example/v1.0'.replace('v1.0', '${create === 'createLibrary' ? 'v1' : 'v1.0'}'),
  token: 'secret',
  fetch: (url, request) => service(new Request(url, request)),
})
const names: string[] = []
for await (const item of ${call}) names.push(item.name ?? '')
const answer = await unwritten(new Request('https://service.example/${create === 'createLibrary' ? 'v1/branches' : 'v1.0/me/calendar'}'))
console.log(names.join(), answer.status)
`

const projects: readonly Vendored[] = [
  {
    service: 'directory',
    only: ['types'],
    main: `import { Importance, type Message } from './api/types.js'
const urgent: Pick<Message, 'importance'> = { importance: Importance.high }
console.log(urgent.importance)`,
    prints: 'high\n',
  },
  {
    service: 'library',
    only: ['types'],
    main: `import { Genre, type Book } from './api/types.js'
const both: Pick<Book, 'genres'> = { genres: [Genre.fiction, Genre.children].join() }
console.log(both.genres)`,
    prints: 'fiction,children\n',
  },
  {
    service: 'directory',
    only: ['client'],
    main: clientMain('createDirectory', "client.users.list({ filter: f => f.startsWith('displayName', 'A'), top: 2 })"),
    prints: "GET https://service.example/root/users?$filter=startsWith(displayName%2C'A')&$top=2 Bearer secret\n",
  },
  {
    service: 'library',
    only: ['client'],
    main: clientMain('createLibrary', "client.copies.loans.list({ isbn: '9780000000000', number: 2 })"),
    prints: "GET https://service.example/root/copies(isbn='9780000000000',number=2)/loans Bearer secret\n",
  },
  {
    service: 'directory',
    only: undefined,
    main: wholeMain(
      'createDirectory',
      "authenticate: () => ({ id: 'me', scopes: ['Mail.Read', 'Files.Read', 'Calendars.Read'] })",
      "me: { drive: { items: { list: () => ({ value: [{ id: '1', name: 'a' }, { id: '2', name: 'b' }] }) } } }",
      "client.me.drive.items.list({ select: ['name'] })",
    ),
    prints: 'a,b 501\n',
  },
  {
    service: 'library',
    only: undefined,
    main: wholeMain(
      'createLibrary',
      '',
      "branches: { list: () => ({ value: [{ code: 'N', name: 'North' }] }) }",
      "client.branches.list({ select: ['name'] })",
    ),
    prints: 'North 501\n',
  },
]

const whole = projects.filter(({ only }) => only === undefined)

describe.each([
  ...projects.map(project => ({ ...project, from: 'vendored with its runtime', options: {} })),
  ...whole.map(project => ({
    ...project,
    from: 'vendored with its runtime, compiled',
    options: { compiledRuntime: true },
  })),
  ...whole.map(project => ({
    ...project,
    from: 'over the runtime of the package',
    options: { runtime: 'specwright/runtime' },
  })),
])('$service, $only, $from, in an empty project', ({ service, only, main, prints, options }) => {
  const path = join(root, 'spec', `${service}.yaml`)
  const { files, diagnostics } = generate({ path, text: readFileSync(path, 'utf8') }, { only, ...options })
  let project: EmptyProject
  beforeAll(async () => {
    project = await emptyProject(
      [...files.map(file => ({ ...file, path: `api/${file.path}` })), { path: 'main.ts', text: main }],
      { withPackage: 'runtime' in options },
    )
  })
  afterAll(() => project.remove())

  it('is generated without a complaint', () => expect(diagnostics).toEqual([]))

  it.each(['strictest', 'usual', 'migrating'] as const)('compiles under the %s flags', async flags => {
    expect(await project.compile(flags)).toBe('')
  })

  if (only === undefined) {
    it('compiles with the oldest compiler that is supported', { timeout: 60_000 }, async () => {
      expect(await project.compile('oldest')).toBe('')
    })

    it('compiles for a worker', async () => {
      expect(await project.compile('worker')).toBe('')
    })
  }

  it('compiles under the loosest flags, and runs', async () => {
    expect(await project.compile('loosest')).toBe('')
    if ('compiledRuntime' in options) await project.copyToOutput('api/runtime')
    expect(await project.run('main.js')).toBe(prints)
  })
})
