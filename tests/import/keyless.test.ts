import { afterAll, describe, expect, it } from 'vitest'
import { runConformance } from '../../conformance/index.js'
import { emitCsdlXml } from '../../generator/emit/csdl/emit-csdl-xml.js'
import { importCsdl } from '../../generator/import/import-csdl.js'
import { seedLines } from '../../reference/data/seed/seed-lines.js'
import { parseRowCounts } from '../../reference/data/seed/seed-rows.js'
import { createReferenceService } from '../../reference/index.js'
import { readAll } from '../../reference/testing/data-sample.js'
import { type BothEngines, itemsOf, linkOf, memberOf, openBoth } from '../../reference/testing/test-service.js'
import { loadSpecText, type Service } from '../../spec/language/index.js'
import { normalizedModel } from './normalized-model.js'

// Sets whose type has no key, one whose key is a floating-point number, and one whose key is inside a complex value; contained
// items without a key; and an unbound function without an import.
const metadata = `<edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
<Schema Namespace="weather" xmlns="http://docs.oasis-open.org/odata/ns/edm">
<EntityType Name="Station"><Key><PropertyRef Name="Id"/></Key><Property Name="Id" Type="Edm.Int32" Nullable="false"/>
<Property Name="Name" Type="Edm.String" Nullable="false"/>
<NavigationProperty Name="Notes" Type="Collection(weather.Note)" ContainsTarget="true"/></EntityType>
<EntityType Name="Note"><Property Name="Text" Type="Edm.String" Nullable="false" MaxLength="3"/></EntityType>
<EntityType Name="Reading"><Property Name="Celsius" Type="Edm.Int32" Nullable="false"/></EntityType>
<EntityType Name="Level"><Key><PropertyRef Name="Height"/></Key><Property Name="Height" Type="Edm.Double" Nullable="false"/></EntityType>
<ComplexType Name="Place"><Property Name="City" Type="Edm.String" Nullable="false"/></ComplexType>
<EntityType Name="Region"><Key><PropertyRef Name="Place/City" Alias="City"/></Key><Property Name="Place" Type="weather.Place" Nullable="false"/></EntityType>
<Function Name="Forecast"><ReturnType Type="Edm.Int32" Nullable="false"/></Function>
<Function Name="Average"><ReturnType Type="Edm.Int32" Nullable="false"/></Function>
<EntityContainer Name="C"><EntitySet Name="Stations" EntityType="weather.Station"/><EntitySet Name="Readings" EntityType="weather.Reading"/>
<EntitySet Name="Levels" EntityType="weather.Level"/><EntitySet Name="Regions" EntityType="weather.Region"/>
<FunctionImport Name="Mean" Function="weather.Average"/></EntityContainer></Schema></edmx:DataServices></edmx:Edmx>`

const { spec, diagnostics } = importCsdl(metadata, 'weather.xml')
const load = (text: string): Service => {
  const { service } = loadSpecText(text, 'weather.yaml')
  if (service === undefined) throw new Error('The imported spec has errors.')
  return service
}
const service = load(spec?.text ?? '')

describe('sets without a usable key', () => {
  it('are kept as lists, and reported', () => {
    expect(Object.keys(spec?.document.paths ?? {})).toEqual([
      '/Stations',
      '/Stations/$count',
      '/Stations({Id})',
      '/Stations({Id})/Notes',
      '/Stations({Id})/Notes/$count',
      ...['/Readings', '/Readings/$count', '/Levels', '/Levels/$count', '/Regions', '/Regions/$count'],
      '/Mean()',
    ])
    expect(spec?.document.paths['/Readings']).not.toHaveProperty('post')
    expect(spec?.document.resources['Level']).toMatchObject({
      kind: 'entityType',
      keyless: true,
      properties: { Height: { type: 'Double' } },
    })
    expect(diagnostics.map(({ message }) => message)).toEqual([
      'A key must consist of single values with an exact identity, such as String, Guid or Int32: weather.Level/Height.',
      'A key must consist of properties that the type itself declares: weather.Region.',
      'Items without a key that a spec can have are kept in lists: no path leads to one of them, 4 times: Reading.',
      '1 of 2 operations have no path: none with at most 2 relations leads to the type that they are bound to, or they are unbound and have no import: weather.Forecast.',
      'A spec has no aliases for parts of a key: weather.Region: City.',
    ])
  })

  it('survive an export and another import, as an unbound function without an import does', () => {
    const exported = emitCsdlXml(service)
    expect(exported.match(/<FunctionImport .*/g)).toEqual(['<FunctionImport Name="Mean" Function="weather.Average"/>'])
    const again = importCsdl(exported, 'again.xml')
    expect(again.diagnostics).toEqual([])
    expect(normalizedModel(load(again.spec?.text ?? ''))).toEqual(normalizedModel(service))
    // Another reader has nothing but the terms of OData.
    const foreign = importCsdl(
      exported.replace(/ *<Annotation Term="Specwright\.Service">[\s\S]*?<\/Annotation>\n/, ''),
      'f',
    )
    expect(Object.keys(foreign.spec?.document.paths ?? {})).toEqual(Object.keys(spec?.document.paths ?? {}))
    expect(Object.keys(foreign.spec?.document.operations ?? {})).toEqual(['Forecast', 'Average'])
  })

  it('can be seeded and served, without a violation', async () => {
    const rows = parseRowCounts('30')
    if (typeof rows === 'string') throw new Error(rows)
    const lines = [...seedLines(service, { rows, seed: '1' })]
    const { items, diagnostics: found } = await readAll(service, lines.join('\n'), 'data.jsonl')
    expect(found).toEqual([])
    const reference = await createReferenceService({ spec: service, store: 'sqlite::memory:' })
    await reference.load(items)
    const report = await runConformance({
      spec: service,
      target: reference.fetch,
      allowWrites: true,
      seed: 1,
      requests: 600,
    })
    await reference.close()
    expect(report.violations.map(({ rule, site, message }) => `${rule} ${site}: ${message}`)).toEqual([])
  })
})

describe('a keyless list', () => {
  let both: BothEngines | undefined
  afterAll(async () => both?.stop())

  it.each(['sqlite', 'postgres'] as const)('has all items, also equal ones, on all pages on %s', async engine => {
    const reading = (Celsius: number) => ({ type: 'Reading', properties: { Celsius } })
    const note = (Text: string) => ({ type: 'Note', properties: { Text } })
    const station = {
      type: 'Station',
      properties: { Id: 1, Name: 'A' },
      contained: { Notes: ['b', 'b', 'a'].map(note) },
    }
    both ??= await openBoth(service, [...[7, 3, 7, 7].map(reading), station])
    const { request } = both.services[engine]
    const first = await request('/Readings?$orderby=Celsius desc', { headers: { prefer: 'odata.maxpagesize=2' } })
    const second = await request(linkOf(first, 'nextLink') ?? '', { headers: { prefer: 'odata.maxpagesize=2' } })
    const values = [...itemsOf(first), ...itemsOf(second)].map(item => memberOf(item, 'Celsius'))
    expect([values, linkOf(second, 'nextLink')]).toEqual([[7, 7, 7, 3], undefined])
    expect((await request('/Readings/$count?$filter=Celsius eq 7')).text).toBe('3')
    expect((await request('/Stations(1)/Notes?$orderby=Text')).json).toMatchObject({
      value: [{ Text: 'a' }, { Text: 'b' }, { Text: 'b' }],
    })
    expect((await request('/Stations?$expand=Notes')).json).toMatchObject({ value: [{ Notes: [{}, {}, {}] }] })
    expect((await request('/Readings(7)')).status).toBe(404)
    expect((await request('/Readings', { method: 'POST', body: { Celsius: 1 } })).status).toBe(405)
  })
})
