import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { clientFactory, emitOpenapi, generate } from '../../generator/index.js'
import { compileErrors } from '../../generator/testing/compile-errors.js'
import { type EndpointDescription, endpointDescriptions, openapiDocuments } from '../../reference/index.js'
import { bindQuery, checkCapabilities, parseFilter } from '../../runtime/query/index.js'
import { buildServiceTable, type Service } from '../../spec/language/index.js'
import { loadValid } from '../../spec/language/testing/valid-spec.js'
import { root } from '../root.js'

type Filter = NonNullable<EndpointDescription['filter']>
type Field = Filter['fields'][number]

interface Condition {
  readonly field: Field
  readonly lambda: string | undefined
  readonly operand: Field['operands'][number] | undefined
  readonly operator: string
  readonly value: string
  readonly negated?: boolean
}

interface Values {
  readonly path: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** What the modules of the page export. */
interface Group {
  readonly members: readonly Condition[]
  readonly logical: string
}

interface PageModules {
  readonly sampleOf: (schema: unknown) => unknown
  readonly typescriptOf: (endpoint: object, values: Values, filter?: string) => string
  readonly operatorsOf: (field: Field, operand: Condition['operand']) => readonly string[]
  readonly filterText: (group: Group) => string
  readonly filterCode: (group: Group) => string
}

const assets = join(root, 'reference/host/assets')
let page: PageModules
beforeAll(async () => {
  const [request, filter] = await Promise.all(
    ['request.mjs', 'filter.mjs'].map(name => import(/* @vite-ignore */ join(assets, name))),
  )
  page = { ...request, ...filter }
})

const samples: Readonly<Record<string, string>> = {
  text: "O'Neil",
  number: '2',
  boolean: 'true',
  duration: 'PT1H',
  binary: 'AA',
}
const plainSamples: Readonly<Record<string, string>> = {
  Guid: '00000000-0000-0000-0000-000000000000',
  Date: '2026-01-01',
  DateTimeOffset: '2026-01-01T00:00:00Z',
  TimeOfDay: '12:00:00',
}

/** Every condition that the builder of an endpoint offers, with a value of the right form. */
function conditionsOf({ fields }: Filter): readonly Condition[] {
  return fields.flatMap(field =>
    [field.collection?.lambdas[0]].flatMap(lambda =>
      (field.operands.length === 0 ? [undefined] : field.operands).flatMap(operand =>
        page.operatorsOf(field, operand).map(operator => {
          const form = operand?.form ?? 'text'
          const type = operand?.function === undefined ? field.type : operand.function === 'date' ? 'Date' : 'TimeOfDay'
          const value = field.members?.[0] ?? samples[form] ?? plainSamples[type] ?? ''
          return { field, lambda, operand, operator, value }
        }),
      ),
    ),
  )
}

function valuesOf(described: EndpointDescription, operation: object): Values {
  const body = JSON.stringify(page.sampleOf(bodySchema(operation)))
  const path = Object.fromEntries(described.call.keys.flat().map(({ name }) => [name, '1']))
  const { parameters = [] }: { parameters?: readonly { readonly name: string }[] } = operation
  const options = { $filter: 'x', $top: '2', $skip: '1', $count: 'true' }
  const query = Object.fromEntries(
    Object.entries(options).filter(([name]) => parameters.some(parameter => parameter.name === name)),
  )
  return { path, query, headers: {}, ...(described.call.body === 'json' && { body }) }
}

function bodySchema(operation: object): unknown {
  const { requestBody }: { requestBody?: { content: Record<string, { schema: unknown }> } } = operation
  return requestBody?.content['application/json']?.schema ?? {}
}

describe.each(['directory', 'library'])('the examples of the page for %s', name => {
  let service: Service
  let describeEndpoint: (name: string) => EndpointDescription | undefined
  beforeAll(async () => {
    service = await loadValid(await readFile(join(root, `spec/${name}.yaml`), 'utf8'))
    describeEndpoint = endpointDescriptions(service, clientFactory(service))
  })

  it('have conditions that the service accepts', () => {
    const { routes, types } = buildServiceTable(service)
    const refused = service.endpoints.flatMap(endpoint => {
      const { filter } = describeEndpoint(endpoint.name) ?? {}
      const query = routes.find(route => route.name === endpoint.name)?.query
      if (filter === undefined || query === undefined || !('type' in endpoint)) return []
      return conditionsOf(filter).flatMap(condition => {
        const text = page.filterText({ members: [condition], logical: 'and' })
        const options = { filter: parseFilter(text) }
        const problems = [
          ...bindQuery(options, types, endpoint.type.name),
          ...checkCapabilities(options, query, types, endpoint.type.name),
        ]
        return problems.map(({ message }) => `${endpoint.name}: ${text}: ${message}`)
      })
    })
    expect(refused).toEqual([])
  })

  it('compile against the generated client, with each condition that the builder offers', async () => {
    const text = await readFile(join(root, `spec/${name}.yaml`), 'utf8')
    const { files } = generate([{ path: `${name}.yaml`, text }], { only: ['types', 'client'] })
    const openapi = openapiDocuments(emitOpenapi(service))
    const examples = service.endpoints.flatMap(endpoint => {
      const described = describeEndpoint(endpoint.name)
      const found = openapi.operation(endpoint.name)
      if (described === undefined || found === undefined) return []
      const values = valuesOf(described, Object(found.operation))
      const conditions = described.filter === undefined ? [] : conditionsOf(described.filter)
      const logical = described.filter?.logical.includes('or') ? 'or' : 'and'
      const filter = conditions.length === 0 ? undefined : page.filterCode({ members: conditions, logical })
      return {
        path: `${endpoint.name}.ts`,
        kind: 'generated' as const,
        text: page.typescriptOf({ ...described, root: 'https://x/v1' }, values, filter),
      }
    })
    expect(examples.length).toBe(service.endpoints.length)
    expect(await compileErrors([...files.map(file => ({ ...file, path: `${name}/${file.path}` })), ...examples])).toBe(
      '',
    )
  })
})
