import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { emitCsdlJson } from '../generator/emit/csdl-json/emit-csdl-json.js'
import { emitCsdlXml } from '../generator/emit/csdl-xml/emit-csdl-xml.js'
import { importCsdl } from '../generator/import/import-csdl.js'
import { generate } from '../generator/index.js'
import { formatDiagnostics, loadSpecText, type Service } from '../spec/language/index.js'
import { modelOf } from './import/model-of.js'
import { root } from './root.js'
import { emptyProject } from './vendoring/project.js'

const fixtures = join(root, 'tests', 'fixtures', 'csdl')
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
    'trippin.xml:10:3 warning import/reference: Other documents that this one refers to are not read: https://example.org/Org.Example.Geo.xml.',
    'trippin.xml:44:7 warning import/media: A spec has no media entities; their content cannot be reached: Sample.TripPin.Photo.',
    'trippin.xml:52:9 warning import/annotation: A spec cannot say Core.AcceptableMediaTypes.',
    'trippin.xml:93:9 warning import/type: A spec has no type Edm.PrimitiveType; what is of that type is left out: Sample.TripPin.Airport/Anything.',
    'trippin.xml:137:7 warning import/entity-set-path: A spec does not say which entity set the results of an operation are in (EntitySetPath): Sample.TripPin.GetFavoriteAirline.',
    'trippin.xml:180:11 warning import/annotation: A spec cannot say Capabilities.InsertRestrictions/NonInsertableNavigationProperties.',
    'trippin.xml:192:11 warning import/binding-path: Bindings are about relations of the items, or of their single complex values, and lead to entity sets: People/Sample.TripPin.Flight/Airline: Airlines.',
  ],
}

describe.each(Object.keys(leftOut))('the metadata of %s', name => {
  const { text, report } = imported(name)

  it('become the spec beside them, as `specwright import` writes it', () => {
    expect(text).toBe(read(`${name}.yaml`))
  })

  it('are told of as far as they are left out', () => {
    expect(report).toBe(leftOut[name]?.join('\n'))
  })

  it('give a spec without a fault', () => {
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
  }, 60_000)

  it.each([
    ['XML', emitCsdlXml],
    ['JSON', emitCsdlJson],
  ] as const)('exported as %s and imported again are the same model, and the same spec', (_, emit) => {
    const service = serviceOf(text)
    const again = importCsdl(emit(service), 'metadata')
    expect(formatDiagnostics(again.diagnostics, { format: 'plain' })).toBe('')
    expect(modelOf(serviceOf(again.spec?.text ?? ''))).toEqual(modelOf(service))
    const third = importCsdl(emit(serviceOf(again.spec?.text ?? '')), 'metadata')
    expect(third.spec?.text).toBe(again.spec?.text)
  })
})
