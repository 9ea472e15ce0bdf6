/** A client with its types, and a program that uses it. */
interface SyntheticService {
  readonly client: string
  readonly program: string
}

/**
 * The client of a synthetic service, as the generator prints it. Each entity type has twelve properties, one of them complex,
 * and two navigation properties. Each entity set can be listed, read, created and updated. The program makes `calls`
 * different calls, with results that are narrowed at three levels, filters and errors.
 *
 * @param runtime the folder of the client runtime, relative to the client, without a trailing slash
 */
export const syntheticService = (entities: number, calls: number, runtime: string): SyntheticService => ({
  client: [header(runtime), ...indexes(entities).map(index => entity(index, entities)), root(entities)].join('\n'),
  program: [
    "import { createService } from './client.js'",
    "export const client = createService({ baseUrl: 'https://service.example' })",
    ...indexes(calls).map(index => call(index, entities)),
  ].join('\n'),
})

const indexes = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index)

const header = (runtime: string): string => `
import {
  type ClientOptions,
  connect,
  type Connection,
  create,
  type CreateOperation,
  dateTimeOffset,
  get,
  type GetOperation,
  list,
  type ListOperation,
  type LiteralFormats,
  type RequiredHeaders,
  type SearchTerms,
  segment,
  type ToMany,
  type ToOne,
  update,
  type UpdateOperation,
} from '${runtime}/index.js'

export type OpenEnum<T extends string> = T | (string & {})
export const Level = { low: 'low', normal: 'normal', high: 'high' } as const
export type Level = (typeof Level)[keyof typeof Level]
export interface Address {
  readonly street: string | null
  readonly city: string
  readonly country: { readonly code: string; readonly name: string | null }
}
export interface Listed {
  readonly options: 'select' | 'filter' | 'orderby' | 'expand' | 'top' | 'skip' | 'count' | 'search'
  readonly filter: 'eq' | 'ne' | 'gt' | 'ge' | 'lt' | 'le' | 'in' | 'and' | 'or' | 'not' | 'startsWith' | 'contains' | 'tolower' | 'any'
  readonly orderby: string
  readonly expand: string
  readonly search: SearchTerms<'name'>
  readonly nested: Listed
}
export interface Item extends Omit<Listed, 'options'> {
  readonly options: 'select' | 'expand'
}
const advanced: RequiredHeaders = query => (/contains\\(/.test(query) ? { ConsistencyLevel: 'eventual' } : {})
type Code = 'Unauthenticated' | 'Forbidden' | 'NotFound' | 'BadRequest' | 'Conflict' | 'TooManyRequests'
`

const entity = (index: number, entities: number): string => `
export interface Entity${index} {
  readonly '@odata.etag'?: string
  readonly id: string
  readonly name: string | null
  readonly title${index}: string
  readonly description: string | null
  readonly size: number
  readonly weight: number | null
  readonly active: boolean
  readonly level: OpenEnum<Level>
  readonly created: string
  readonly changed: string | null
  readonly tags: readonly string[]
  readonly address: Address | null
}
export interface Entity${index}Create {
  readonly name?: string | null | undefined
  readonly title${index}: string
  readonly level?: Level | undefined
}
export interface Entity${index}Patch {
  readonly name?: string | null | undefined
  readonly title${index}?: string | undefined
  readonly level?: Level | undefined
}
export interface Entity${index}Shape {
  readonly properties: Entity${index}
  readonly key: 'id'
  readonly navigation: {
    readonly owner: ToOne<Entity${(index * 7 + 1) % entities}Shape, true>
    readonly parts: ToMany<Entity${(index * 3 + 2) % entities}Shape>
  }
}
const entity${index}Formats: LiteralFormats = { created: dateTimeOffset, changed: dateTimeOffset }
/** /set${index} */
export interface Set${index} {
  readonly list: ListOperation<[], Entity${index}Shape, Listed, Code>
  readonly get: GetOperation<[id: string], Entity${index}Shape, Item, Code>
  readonly create: CreateOperation<[], Entity${index}Create, Entity${index}, Code>
  readonly update: UpdateOperation<[id: string], Entity${index}Patch, Entity${index}, Code>
  readonly parts: Set${index}Parts
}
export const set${index} = (connection: Connection): Set${index} => ({
  list: list(connection, () => '/set${index}', entity${index}Formats, advanced),
  get: get(connection, id => \`/set${index}/\${segment(id)}\`),
  create: create(connection, () => '/set${index}'),
  update: update(connection, id => \`/set${index}/\${segment(id)}\`),
  parts: set${index}Parts(connection),
})
/** /set${index}/{id}/parts */
export interface Set${index}Parts {
  readonly list: ListOperation<[id: string], Entity${(index * 3 + 2) % entities}Shape, Listed, Code>
}
export const set${index}Parts = (connection: Connection): Set${index}Parts => ({
  list: list(connection, id => \`/set${index}/\${segment(id)}/parts\`),
})
`

const root = (entities: number): string => `
export interface Service {
${indexes(entities)
  .map(index => `  readonly set${index}: Set${index}`)
  .join('\n')}
}
export const createService = (options: ClientOptions): Service => {
  const connection = connect(options)
  return {
${indexes(entities)
  .map(index => `    set${index}: set${index}(connection),`)
  .join('\n')}
  }
}
`

const call = (index: number, entities: number): string => {
  const set = (index * 5) % entities
  switch (index % 5) {
    case 0:
      return `
for await (const row of client.set${set}.list({
  select: ['id', 'name', 'title${set}'],
  filter: f => f.and(f.startsWith('name', 'A'), f.gt('created', '2024-01-31T12:00Z'), f.eq('address/country/code', 'x')),
  orderby: ['name desc', 'address/city'],
  expand: { parts: { select: ['id'], top: 5, expand: { owner: { select: ['name'] } } } },
  top: 10,
})) row.parts[0]?.owner?.name?.toUpperCase()`
    case 1:
      return `
export const item${index} = await client.set${set}.get('1', { select: ['name'], expand: { owner: { select: ['size'] } } })
item${index}.owner?.size.toFixed()`
    case 2:
      return `
export const changed${index} = await client.set${set}.update('1', { title${set}: 'x' }, { ifMatch: 'x' }).result()
if (!changed${index}.ok && changed${index}.error.code === 'NotFound') changed${index}.error.message.trim()`
    case 3:
      return `
export const page${index} = await client.set${set}.parts.list('1', { filter: f => f.any('tags', tag => tag.eq('$it', 'x')), count: true }).page()
page${index}.value[0]?.active.valueOf()`
    default:
      return `
export const made${index} = await client.set${set}.create({ title${set}: 'x', level: 'high' })
made${index}.created.trim()`
  }
}
