import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { emitCsdlJson } from '../../generator/emit/csdl/emit-csdl-json.js'
import { emitCsdlXml } from '../../generator/emit/csdl/emit-csdl-xml.js'
import { importCsdl } from '../../generator/import/import-csdl.js'
import { generate } from '../../generator/index.js'
import { createReferenceService } from '../../reference/index.js'
import { formatDiagnostics, loadSpecText, type Service } from '../../spec/language/index.js'
import { root } from '../root.js'
import { emptyProject } from '../vendoring/project.js'
import { normalizedModel } from './normalized-model.js'

const fixtures = join(root, 'tests', 'import', 'fixtures')
const read = (name: string): string => readFileSync(join(fixtures, name), 'utf8')

function imported(name: string) {
  const { spec, diagnostics } = importCsdl(read(`${name}.xml`), `${name}.xml`)
  return { text: spec?.text ?? '', report: formatDiagnostics(diagnostics, { format: 'plain' }) }
}

function serviceOf(text: string): Service {
  const { service, diagnostics } = loadSpecText(text, 'spec.yaml')
  expect(formatDiagnostics(diagnostics, { format: 'plain' })).toBe('')
  if (service === undefined) throw new Error('there is no diagnostic, so there is a service')
  return service
}

const leftOut: Readonly<Record<string, readonly string[]>> = {
  northwind: [],
  trippin: [
    'trippin.xml:93:9 warning import/type: A spec has no type Edm.PrimitiveType; what is of that type is left out: Sample.TripPin.Airport/Anything.',
    'trippin.xml:192:11 warning import/binding-path: A binding must start at a relation of the items, or of their single complex values, and lead to an entity set: People/Sample.TripPin.Flight/Airline: Airlines.',
    'trippin.xml:180:11 warning import/annotation: A spec cannot say Capabilities.InsertRestrictions/NonInsertableNavigationProperties.',
    'trippin.xml:137:7 note import/entity-set-path: A spec does not state the entity set of an operation’s results (no caller needs it), 2 times: Sample.TripPin.GetFavoriteAirline.',
    'trippin.xml:222:9 note import/entity-set-path: GetNearestAirport',
  ],
}

describe.each(Object.keys(leftOut))('the metadata of %s', name => {
  const { text, report } = imported(name)

  it('become the spec in the fixtures, as `specwright import` writes it', () => {
    expect(text).toBe(read(`${name}.yaml`))
  })

  it('are reported if they are left out', () => {
    expect(report).toBe(leftOut[name]?.join('\n'))
  })

  it('give a valid spec', () => {
    serviceOf(text)
  })

  it('compile as types, client and server', async () => {
    const { files } = generate({ path: 'spec.yaml', text }, { only: ['types', 'client', 'server'] })
    const project = await emptyProject(files)
    try {
      expect(files.map(({ path }) => path)).toContain('client.ts')
      expect(await project.compile('strictest')).toBe('')
    } finally {
      await project.remove()
    }
  })

  it.each([
    ['XML', emitCsdlXml],
    ['JSON', emitCsdlJson],
  ] as const)('exported as %s and imported again are the same model, and the same spec', (_, emit) => {
    const service = serviceOf(text)
    const again = importCsdl(emit(service), 'metadata')
    expect(formatDiagnostics(again.diagnostics, { format: 'plain' })).toBe('')
    expect(normalizedModel(serviceOf(again.spec?.text ?? ''))).toEqual(normalizedModel(service))
    const third = importCsdl(emit(serviceOf(again.spec?.text ?? '')), 'metadata')
    expect(third.spec?.text).toBe(again.spec?.text)
  })
})

describe('an imported spec', () => {
  it('is a service that runs', async () => {
    const reference = await createReferenceService({
      spec: serviceOf(imported('northwind').text),
      store: 'sqlite::memory:',
    })
    const keyOf = (item: unknown): unknown =>
      typeof item === 'object' && item !== null ? Reflect.get(item, 'CategoryID') : undefined
    const ask = async (path: string, body?: object): Promise<readonly [number, unknown]> => {
      const init = { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
      const request = new Request(`http://northwind.example/v1.0${path}`, body === undefined ? {} : init)
      const response = await reference.fetch(request)
      return [response.status, JSON.parse(await response.text())]
    }
    try {
      const [status, created] = await ask('/Categories', { CategoryName: 'Teas' })
      expect([status, created]).toEqual([201, expect.objectContaining({ CategoryName: 'Teas', Description: null })])
      expect(await ask("/Categories?$filter=contains(CategoryName,'ea')&$count=true")).toEqual([
        200,
        expect.objectContaining({ '@odata.count': 1, value: [expect.objectContaining({ CategoryName: 'Teas' })] }),
      ])
      expect(await ask("/Customers('O''N')")).toEqual([404, expect.anything()])
      expect(await ask(`/Categories(${keyOf(created)})`)).toEqual([
        200,
        expect.objectContaining({ CategoryName: 'Teas' }),
      ])
      expect(await ask('/Order_Details')).toEqual([200, expect.objectContaining({ value: [] })])
    } finally {
      await reference.close()
    }
  })

  it('may have singletons without a key', async () => {
    const members = '<Property Name="Name" Type="Edm.String"/>'
    const metadata =
      '<edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>' +
      `<Schema Namespace="n" xmlns="http://docs.oasis-open.org/odata/ns/edm"><EntityType Name="Root">${members}</EntityType>` +
      '<EntityContainer Name="c"><Singleton Name="Root" Type="n.Root"/></EntityContainer></Schema></edmx:DataServices></edmx:Edmx>'
    const { spec, diagnostics } = importCsdl(metadata, 'm')
    expect(diagnostics).toEqual([])
    const reference = await createReferenceService({ spec: serviceOf(spec?.text ?? ''), store: 'sqlite::memory:' })
    try {
      const response = await reference.fetch(new Request('http://n.example/v1.0/Root'))
      expect([response.status, JSON.parse(await response.text())]).toMatchObject([200, { Name: null }])
    } finally {
      await reference.close()
    }
  })
})
