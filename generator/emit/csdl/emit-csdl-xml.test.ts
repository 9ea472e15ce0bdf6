import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { loadSpec, type Service } from '../../../spec/language/index.js'
import { loadService } from '../../testing/emitted.js'
import { readCsdlXml } from '../../testing/read-csdl-xml.js'
import { sampleSpec } from '../../testing/sample-spec.js'
import { emitCsdlJson } from './emit-csdl-json.js'
import { emitCsdlXml, xmlComment, xmlText } from './emit-csdl-xml.js'

async function sample(text = 'A text.'): Promise<Service> {
  return loadService(JSON.stringify(sampleSpec(text)))
}

/** What the JSON form says, its default values as texts, and without the comment that XML has as such. */
function comparable(json: string): unknown {
  const document = JSON.parse(json, (name, value: unknown) => {
    if (name === '@Core.LongDescription') return undefined
    return name === '$DefaultValue' ? String(value) : value
  })
  return document
}

/** As XML gives it back: what it cannot hold is replaced. */
function held(text: string): string {
  return text.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Cs}/gu, '\ufffd')
}

describe('CSDL XML', () => {
  it('contains everything that CSDL JSON contains', async () => {
    for (const path of ['spec/directory.yaml', 'spec/library.yaml']) {
      const { service } = await loadSpec(path)
      if (service === undefined) throw new Error(`${path} is not clean.`)
      expect(readCsdlXml(emitCsdlXml(service))).toEqual(comparable(emitCsdlJson(service)))
    }
    const service = await sample()
    expect(readCsdlXml(emitCsdlXml(service))).toEqual(comparable(emitCsdlJson(service)))
  })

  it('writes types, operations and containers as CSDL requires', async () => {
    const lines = emitCsdlXml(await sample('Text.')).split('\n')
    const from = (start: string, count: number): string[] => {
      const index = lines.findIndex(line => line.includes(start))
      return lines.slice(index, index + count).map(line => line.slice(6))
    }
    expect(from('<EntityType Name="depot"', 22)).toEqual([
      '<EntityType Name="depot">',
      '  <Key>',
      '    <PropertyRef Name="country"/>',
      '    <PropertyRef Name="code"/>',
      '  </Key>',
      '  <Property Name="country" Type="Edm.String" Nullable="false">',
      '    <Annotation Term="Core.Immutable" Bool="true"/>',
      '  </Property>',
      '  <Property Name="code" Type="Edm.Int32" Nullable="false">',
      '    <Annotation Term="Validation.Minimum" Int="1"/>',
      '    <Annotation Term="Core.Immutable" Bool="true"/>',
      '  </Property>',
      '  <Property Name="open" Type="Edm.Boolean" Nullable="false"/>',
      '  <NavigationProperty Name="parcels" Type="Collection(acme.depot.parcel)" Partner="depot"/>',
      '</EntityType>',
      '<EntityType Name="event">',
      '  <Key>',
      '    <PropertyRef Name="number"/>',
      '  </Key>',
      '  <Property Name="number" Type="Edm.Int32" Nullable="false">',
      '    <Annotation Term="Core.Computed" Bool="true"/>',
      '    <Annotation Term="Core.Permissions" EnumMember="Core.Permission/Read"/>',
    ])
    expect(from('<Action Name="eventsAmong"', 10)).toEqual([
      '<Action Name="eventsAmong" IsBound="true">',
      '  <Parameter Name="bindingParameter" Type="acme.depot.parcel" Nullable="false"/>',
      '  <Parameter Name="numbers" Type="Collection(Edm.Int32)" Nullable="false">',
      '    <Annotation Term="Validation.MaxItems" Int="5"/>',
      '  </Parameter>',
      '  <Parameter Name="note" Type="Edm.String" Nullable="false">',
      '    <Annotation Term="Core.OptionalParameter">',
      '      <Record/>',
      '    </Annotation>',
      '  </Parameter>',
    ])
    expect(from('<EnumType Name="marks"', 5)).toEqual([
      '<EnumType Name="marks" IsFlags="true">',
      '  <Member Name="none" Value="0"/>',
      '  <Member Name="fragile" Value="1"/>',
      '  <Member Name="cold" Value="2"/>',
      '</EnumType>',
    ])
  })

  it('is deterministic', async () => {
    expect(emitCsdlXml(await sample())).toBe(emitCsdlXml(await sample()))
  })
})

const hostile = fc.oneof(
  fc.constantFrom(
    '"/><Evil a="',
    ']]>',
    '--><Evil/><!--',
    '&amp;&#0;&evil;',
    "' or 1=1",
    'a\tb\nc\r\nd\u0085e\u2028f\u2029\ufffd',
    '\0\x01\ufffe\ufffe',
    '\ud800',
    '😀',
    '__proto__',
  ),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }),
)

describe('hostile text', () => {
  it('survives a parser unchanged, except for characters that XML does not allow', () => {
    fc.assert(
      fc.property(hostile, text => {
        const xml = `<a b="${xmlText(text)}">${xmlText(text)}</a>`
        const wrapped = `<edmx:Edmx xmlns:edmx="e" Version="4.01"><S xmlns="s"><Schema Namespace="n"><EntityContainer Name="c"><Annotation Term="t" String="${xmlText(text)}"/></EntityContainer></Schema></S></edmx:Edmx>`
        expect(xml).not.toMatch(/<Evil/)
        expect(readCsdlXml(wrapped)).toHaveProperty(['n', 'c', '@t'], held(text))
      }),
      { numRuns: 300 },
    )
  })

  it('cannot end a comment', () => {
    fc.assert(
      fc.property(hostile, text => {
        expect(xmlComment(text).slice(4, -3)).not.toMatch(/--|-$/)
      }),
    )
  })

  it('in a spec changes nothing but the texts', async () => {
    const plain = readCsdlXml(emitCsdlXml(await sample('TEXT')))
    await fc.assert(
      fc.asyncProperty(
        hostile.filter(text => text === held(text) && text.trim() !== ''),
        async text => {
          const read = readCsdlXml(emitCsdlXml(await sample(text)))
          const expected = JSON.parse(JSON.stringify(plain), (_name, value: unknown) =>
            value === 'TEXT' ? text : value,
          )
          expect(read).toEqual(expected)
        },
      ),
      { numRuns: 25 },
    )
  })
})
