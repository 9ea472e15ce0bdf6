import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ArtefactName, generate } from '../../generator/index.js'
import { root } from '../root.js'
import { type Flags, type ProjectGroup, projectGroup } from './project.js'

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

const complete = projects.filter(({ only }) => only === undefined)
const usualFlags = ['strictest', 'usual', 'migrating', 'loosest', 'worker'] as const

/**
 * Complete output contains the text of the others, so that these need no more than the strictest flags; the loosest ones compile
 * what runs. The oldest compiler takes four times as long as the current one: it compiles each kind of output of the library, and
 * the directory as it is vendored by default.
 */
function flagsOf(service: Vendored['service'], only: Vendored['only'], from: string): readonly Flags[] {
  if (only !== undefined) return ['strictest', 'loosest']
  return service === 'library' || from === vendoredWithRuntime ? [...usualFlags, 'oldest'] : usualFlags
}

const vendoredWithRuntime = 'vendored with its runtime'

const cases = [
  ...projects.map(project => ({ ...project, from: vendoredWithRuntime, options: {} })),
  ...complete.map(project => ({
    ...project,
    from: 'vendored with its runtime, compiled',
    options: { compiledRuntime: true },
  })),
  ...complete.map(project => ({
    ...project,
    from: 'over the runtime of the package',
    options: { runtime: 'specwright' },
  })),
].map(({ service, only, main, options, ...rest }, index) => {
  const path = join(root, 'spec', `${service}.yaml`)
  const { files, diagnostics } = generate({ path, text: readFileSync(path, 'utf8') }, { only, ...options })
  const flags = flagsOf(service, only, rest.from)
  const sources = [...files.map(file => ({ ...file, path: `api/${file.path}` })), { path: 'main.ts', text: main }]
  const withPackage = 'runtime' in options
  return { ...rest, service, only, diagnostics, name: `project-${index}`, files: sources, flags, withPackage }
})

let group: ProjectGroup
beforeAll(async () => {
  group = await projectGroup(cases)
})
afterAll(() => group.remove())

describe.each(cases)('$service, $only, $from, in an empty project', ({ name, flags, diagnostics, prints }) => {
  it('is generated without diagnostics', () => expect(diagnostics).toEqual([]))

  it.each(flags)('compiles under the %s flags', async each => {
    expect(await group.compile(name, each)).toBe('')
  })

  it('runs', async () => {
    await group.compile(name, 'loosest')
    expect(await group.run(name, 'main.js')).toBe(prints)
  })
})

it('the compiler reports an error only for the project that contains it', async () => {
  const program = (text: string) => ({
    flags: ['usual' as const],
    withPackage: false,
    files: [{ path: 'main.ts', text }],
  })
  const projectsWithError = await projectGroup([
    { name: 'right', ...program('export const right: number = 1\n') },
    { name: 'wrong', ...program("export const wrong: { readonly a: number } = { a: 'one' }\n") },
  ])
  try {
    expect(await projectsWithError.compile('right', 'usual')).toBe('')
    expect(await projectsWithError.compile('wrong', 'usual')).toMatch(/^wrong\/main\.ts\(1,\d+\): error TS2322: .*\n$/s)
  } finally {
    await projectsWithError.remove()
  }
})
