import { describe, expect, it } from 'vitest'
import { loadSpecText, type Service } from '../../../spec/language/index.js'
import { type Behaviour, correctBehaviour, createMutantService, generateData } from '../../../tests/mutants/index.js'
import { createEntity } from '../../../tests/mutants/service/store.js'
import type { Report } from '../../report/report.js'
import { runConformance } from '../../run-conformance.js'

/** A set whose declared type is abstract, and a set of a type from which another one derives. */
function kennel(clauses = ''): Service {
  const { service, diagnostics } = loadSpecText(
    `
specwright: 1
service: { name: kennel, namespace: kennel, version: v1 }
authentication: { scheme: none }
resources:
  animal:
    kind: entityType
    abstract: true
    key: [id]
    properties: { id: { type: Guid, computed: true }, name: { type: String, maxLength: 200 }, age: { type: Int32, nullable: true } }
  dog: { kind: entityType, base: animal, properties: { breed: { type: String }, tricks: { type: String, collection: true } } }
  cat: { kind: entityType, base: animal, properties: { lives: { type: Int32, default: 9 } } }
  place:
    kind: entityType
    key: [id]
    properties: { id: { type: Guid, computed: true }, title: { type: String, maxLength: 200 } }
  garden: { kind: entityType, base: place, properties: { trees: { type: Int32 }, owner: { type: String, nullable: true } } }
container: { animals: { entitySet: animal }, places: { entitySet: place } }
queryOptions:
  list: { select: true, filter: { operators: [eq, ne, and, or, not], functions: [isof] }, orderby: true, count: true }
paths:
  /animals: { get: { returns: collection, query: list }, post: { creates: animal } }
  /animals/kennel.dog: { get: { returns: collection, query: list } }
  /animals/{id}: { get: { returns: item }, patch: { updates: item }, put: { updates: item }, delete: { deletes: item } }
  /places: { get: { returns: collection, query: list }, post: { creates: place } }
  /places/{id}: { get: { returns: item }, patch: { updates: item }, delete: { deletes: item } }
errors: {}
${clauses}
`,
    'kennel.yaml',
  )
  if (service === undefined) throw new Error(JSON.stringify(diagnostics))
  return service
}

const derivedRules = ['derived-*', 'item-type', 'cast-path', 'filter-cast', 'type-kept']

async function run(
  service: Service,
  change: (correct: Behaviour) => Partial<Behaviour> = () => ({}),
  only: readonly string[] = derivedRules,
): Promise<Report> {
  const correct = correctBehaviour(service)
  const target = createMutantService({
    service,
    data: generateData(service, { rows: 12 }),
    behaviour: { ...correct, ...change(correct) },
  })
  return runConformance({
    spec: service,
    target,
    token: 'mutant-token',
    allowWrites: true,
    requests: 400,
    seed: 3,
    only: [...only],
  })
}

const violated = ({ violations }: Report): readonly string[] => [...new Set(violations.map(({ rule }) => rule))].sort()

const checked = ({ rules }: Report): readonly string[] =>
  rules.filter(({ checks, vacuous }) => checks > vacuous).map(({ rule }) => rule)

/** A service that knows no derived types: it creates items of the declared type, and ignores unknown properties. */
const withoutDerived = (correct: Behaviour): Partial<Behaviour> => ({
  commit: (change, at) => {
    const type = at.endpoint.kind === 'create' && !at.endpoint.type.abstract ? at.endpoint.type : undefined
    if (change.kind !== 'create' || type === undefined) return correct.commit(change, at)
    const { values, owner } = change.entity
    correct.commit({ ...change, entity: createEntity(type, values, owner) }, at)
  },
  item: (item, row, at) => {
    const { type } = at.endpoint.kind === 'call' ? row : at.endpoint
    const shown = Object.entries(item).filter(([name]) => type?.properties.some(each => each.name === name) === true)
    return type?.abstract === true ? item : Object.fromEntries(shown)
  },
})

describe('items of derived types', () => {
  it('are created, changed and listed in sets of abstract types and of other types', async () => {
    const report = await run(kennel())
    expect(violated(report)).toEqual([])
    expect(checked(report)).toEqual(expect.arrayContaining(['derived-create', 'derived-update', 'derived-shows']))
  })

  it('are what all write rules create in a set of an abstract type', async () => {
    const report = await run(kennel(), () => ({}), ['create-keeps', 'patch-keeps', 'replace-sets', 'delete-removes'])
    expect(violated(report)).toEqual([])
    const sites = report.rules.flatMap(({ rule, checks }) => (checks > 0 ? [rule] : []))
    expect(sites).toEqual(expect.arrayContaining(['create-keeps', 'patch-keeps', 'replace-sets', 'delete-removes']))
  })

  const clauses = (aspect: string): string => `clauses: { a: { ref: "1", quote: It says so., aspects: [${aspect}] } }`

  it('need not be known to a service whose interface says nothing about types', async () => {
    expect(violated(await run(kennel(clauses('item.read')), withoutDerived))).toEqual([])
    expect(violated(await run(kennel(clauses('item.type')), withoutDerived))).toContain('derived-create')
    expect(violated(await run(kennel(), withoutDerived))).toContain('derived-create')
  })

  it('may be refused by a service', async () => {
    const refusing = (correct: Behaviour): Partial<Behaviour> => ({
      create: (values, at) => correct.create(values, at),
      valueProblem: (value, property, at) => {
        const declared = at.endpoint.kind === 'create' ? at.endpoint.type.properties : undefined
        const isOwn = declared?.some(({ name }) => name === property.name) === false
        return isOwn ? 'Derived types are not supported.' : correct.valueProblem(value, property, at)
      },
    })
    expect(violated(await run(kennel(), refusing))).toEqual([])
  })

  it('may name their types in the context URL of single items only', async () => {
    const inContext = (correct: Behaviour): Partial<Behaviour> => ({
      reply: (reply, at) => {
        const { json } = reply
        if (typeof json !== 'object' || json === null || Array.isArray(json) || !('@odata.type' in json)) {
          return correct.reply(reply, at)
        }
        const { '@odata.type': type, ...others } = json
        const context = `http://service.test/v1/$metadata#things/${String(type).slice(1)}/$entity`
        return correct.reply({ ...reply, json: { ...others, '@odata.context': context } }, at)
      },
    })
    expect(violated(await run(kennel(), inContext))).toEqual([])
  })
})
