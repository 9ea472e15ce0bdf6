import { describe, expect, it } from 'vitest'
import type { ClientView } from '../emit/client/emit-client.js'
import type { LiteralFormatsFileView } from '../emit/client/literal-formats.js'
import type { HandlersIndexView, HandlersView } from '../emit/server/emit-handlers.js'
import type { ServerView } from '../emit/server/server-names.js'
import type { ServiceTableView } from '../emit/server/service-table.js'
import type { TypesView } from '../emit/types/interfaces.js'
import { renderTemplate, type TemplateName } from './render-template.js'

const types: TypesView = {
  header: '// head',
  openEnum: true,
  interfaces: [
    {
      docs: ['A note.'],
      name: 'Note',
      extends: ' extends Base',
      members: [{ docs: ['Its */ id.'], key: "'@odata.etag'", optional: '?', type: 'string' }],
    },
    { docs: [], name: 'Empty', extends: '', members: [] },
  ],
  enumerations: [
    { docs: ['How urgent.'], name: 'Urgency', members: [{ docs: ['Soon.'], name: "it's" }] },
    { docs: [], name: 'Nothing', members: [] },
  ],
  definitions: [{ docs: ['Digits.'], name: 'Isbn', type: 'string' }],
}

const query = {
  options: ' never',
  filter: ' never',
  unfilterable: ' never',
  through: ' never',
  orderby: ' never',
  expand: ' never',
  search: ' never',
  nested: ' NoQuery',
  prefer: ' object',
}

const member = { docs: ['GET /notes'], name: 'a-b', type: 'T', value: 'v(connection)' }

const client: ClientView = {
  header: '// head',
  imports: ["import { connect } from './x.js'"],
  create: 'createTodo',
  createDocs: ['A client.'],
  service: 'Todo',
  serviceDocs: ['Todo.'],
  clientOptions: 'ClientOptions',
  connection: 'Connection',
  connect: 'connect',
  resource: 'resource',
  condition: 'Conditions',
  commonCodesType: 'CommonErrorCode',
  commonCodes: ' never',
  members: [member],
  resources: [{ docs: ['/notes'], type: 'Notes', constant: 'notes', members: [member] }],
  shapes: [{ name: 'NoteShape', properties: 'Note', key: "'id'", navigation: 'object' }],
  queries: [{ docs: ['No query options.'], name: 'NoQuery', ...query }],
  argumentTypes: [{ name: 'IdArguments', value: '[id: string]' }],
  conditions: [{ docs: ['1'], name: 'conditions', value: ' () => ({})' }],
}

const literalFormats: LiteralFormatsFileView = {
  header: '// head',
  imports: ["import type { LiteralFormats } from './x.js'"],
  type: 'LiteralFormats',
  formats: [{ name: 'noteFormats', value: '{}' }],
}

const server: ServerView = {
  header: '// head',
  imports: ["import { createService } from './x.js'"],
  create: 'createTodo',
  notImplemented: 'notImplemented',
  notImplementedModule: './y.js',
  context: 'Context',
  createDocs: ['Serves.'],
  handlers: 'Handlers',
  runtime: {
    unfinished: 'DeepPartial',
    service: 'Service',
    createService: 'createService',
    handlersByName: 'handlersByName',
    answer: 'Answer',
  },
  options: 'ServiceOptions<Context>',
  serviceTable: 'serviceTable',
  groups: [
    {
      docs: ['All.'],
      name: 'Handlers',
      handlers: [
        { docs: ['GET /'], name: 'new', call: { name: 'NewCall', type: ' Call', members: [] }, answer: 'void' },
        {
          docs: [],
          name: 'get',
          call: { name: 'GetCall', type: ' Call', members: [{ name: 'query', type: 'Q' }] },
          answer: 'number',
        },
      ],
      groups: [{ name: 'notes', type: 'NotesHandlers' }],
    },
  ],
  shapes: [{ head: 'IdCall<Context> extends Call<Context> {', members: [{ name: 'keys', type: 'K' }] }],
  rows: [
    { docs: ['A note.'], name: 'NoteRow', base: ' Row<Note>', relations: [] },
    { docs: [], name: 'TagRow', base: ' Row<Tag>', relations: [{ name: 'notes', type: 'NoteRow' }] },
  ],
}

const serviceTable: ServiceTableView = {
  header: '// head',
  imports: ["import type { ServiceTable } from './x.js'"],
  docs: ['The table.'],
  tableType: 'ServiceTable',
  read: 'readServiceTable',
  text: '`{}`',
}

const handlers: HandlersView = {
  docs: ['The handlers.'],
  imports: ["import type { NotesHandlers } from '../server.js'"],
  name: 'notes',
  type: 'NotesHandlers<Context>',
  members: ['  list: notImplemented,'],
}

const handlersIndex: HandlersIndexView = {
  docs: ['All.'],
  imported: 'Handlers',
  server: '../server.js',
  context: './context.js',
  files: [{ name: 'notes', module: './notes.js' }],
  members: ['notes'],
}

const views: readonly (readonly [TemplateName, object])[] = [
  ['types', types],
  ['client', client],
  ['literal-formats', literalFormats],
  ['server', server],
  ['service-table', serviceTable],
  ['handlers', handlers],
  ['handlers-index', handlersIndex],
  ['handlers-context', {}],
]

/** What the engine itself asks of any object. */
const engineReads: ReadonlySet<string | symbol> = new Set(['length', 'toHTML', 'toJSON', 'then', 'constructor'])

/** A view that throws when a template reads what it does not have, and takes down what is read. */
function strict(value: unknown, path: string, read: Set<string>): unknown {
  if (typeof value !== 'object' || value === null) return value
  return new Proxy(value, {
    get(target, name, receiver) {
      if (typeof name === 'symbol' || engineReads.has(name)) return Reflect.get(target, name, receiver)
      if (!Object.hasOwn(target, name)) {
        if (Array.isArray(target)) return Reflect.get(target, name, receiver)
        throw new Error(`the template reads ${path}.${name}, which the view lacks`)
      }
      const inner = Array.isArray(target) ? `${path}[]` : `${path}.${name}`
      read.add(inner)
      return strict(Reflect.get(target, name, receiver), inner, read)
    },
  })
}

function fields(value: unknown, path = ''): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap(item => fields(item, `${path}[]`))
  return Object.entries(value).flatMap(([name, inner]) => [`${path}.${name}`, ...fields(inner, `${path}.${name}`)])
}

describe('a template', () => {
  it.each(views)('%s reads nothing that its view lacks, and everything that it has', (name, view) => {
    const read = new Set<string>()
    const proxied = strict(view, '', read)
    if (typeof proxied !== 'object' || proxied === null) throw new Error('a view is an object')
    const text = renderTemplate(name, proxied)
    expect(text.endsWith('\n')).toBe(true)
    expect(text).not.toMatch(/\[object|\n\n\n/)
    expect([...new Set(fields(view))].filter(field => !read.has(field))).toEqual([])
  })

  it('has its own lines and those of its view, nothing else', () => {
    expect(renderTemplate('types', types)).toBe(
      `// head

/** A member of \`T\`, or one that the service has got since. */
export type OpenEnum<T extends string> = T | (string & {})

/** A note. */
export interface Note extends Base {
  /** Its *\\/ id. */
  readonly '@odata.etag'?: string
}

export interface Empty {}

/** How urgent. */
export const Urgency = {
  /** Soon. */
  "it's": "it's",
} as const
export type Urgency = (typeof Urgency)[keyof typeof Urgency]

export const Nothing = {} as const
export type Nothing = (typeof Nothing)[keyof typeof Nothing]

/** Digits. */
export type Isbn = string
`,
    )
  })
})
