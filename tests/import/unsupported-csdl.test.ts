import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { CsdlElement } from '../../generator/import/csdl/csdl-element.js'
import type { Finding } from '../../generator/import/finding.js'
import { importCsdl, importDocument, readMetadata } from '../../generator/import/import-csdl.js'
import { root } from '../root.js'

interface Parts {
  readonly item?: string
  readonly schema?: string
  readonly container?: string
  readonly attributes?: string
}

/** Metadata with one entity set, and additions to its type, the schema and the container. */
const metadata = ({ item = '', schema = '', container = '', attributes = '' }: Parts): string =>
  `<edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
<edmx:Reference Uri="x"><edmx:Include Namespace="Org.OData.Core.V1" Alias="Core"/></edmx:Reference>
<edmx:DataServices><Schema Namespace="n" xmlns="http://docs.oasis-open.org/odata/ns/edm">
<EntityType Name="Item"${attributes}><Key><PropertyRef Name="Id"/></Key>
<Property Name="Id" Type="Edm.Int32" Nullable="false"/>${item}</EntityType>
${schema}<EntityContainer Name="c"><EntitySet Name="Items" EntityType="n.Item"/>${container}</EntityContainer>
</Schema></edmx:DataServices></edmx:Edmx>`

const bound = '<Parameter Name="b" Type="n.Item" Nullable="false"/>'

const alternateKeys = (members: string): string =>
  '<Annotation Term="Core.AlternateKeys"><Collection><Record><PropertyValue Property="Key"><Collection>' +
  `<Record>${members}</Record></Collection></PropertyValue></Record></Collection></Annotation>`

describe('the report lists what a spec cannot express:', () => {
  it.each<readonly [string, Parts, string]>([
    [
      'alternate keys of parts of complex values',
      {
        item: alternateKeys(
          '<PropertyValue Property="Name" PropertyPath="A/B"/><PropertyValue Property="Alias" String="C"/>',
        ),
      },
      'An alternate key must consist of properties of the type itself, under their own names: n.Item: A/B.',
    ],
    [
      'alternate keys with other names',
      {
        item: alternateKeys(
          '<PropertyValue Property="Name" PropertyPath="Id"/><PropertyValue Property="Alias" String="C"/>',
        ),
      },
      'An alternate key must consist of properties of the type itself, under their own names: n.Item: Id.',
    ],
    [
      'changes without a function delta',
      {
        container:
          '<EntitySet Name="More" EntityType="n.Item"><Annotation Term="Capabilities.ChangeTracking"><Record>' +
          '<PropertyValue Property="Supported" Bool="true"/></Record></Annotation></EntitySet>',
      },
      'A set whose changes are tracked has no path for them without a function `delta`; callers can send Prefer: odata.track-changes to its list: More.',
    ],
    [
      'alternate keys of a set',
      {
        container:
          '<EntitySet Name="More" EntityType="n.Item"><Annotation Term="Core.AlternateKeys"><Collection/></Annotation></EntitySet>',
      },
      'A spec cannot say Core.AlternateKeys (of an entity type only).',
    ],
    [
      'the entity set of the results of functions',
      {
        schema: `<Function Name="f" IsBound="true" EntitySetPath="b/x">${bound}<ReturnType Type="n.Item"/></Function>`,
      },
      'A spec does not state the entity set of an operation’s results (no caller needs it): n.f.',
    ],
    [
      'the entity set of the results of imports',
      {
        schema: '<Function Name="f"><ReturnType Type="n.Item"/></Function>',
        container: '<FunctionImport Name="f" Function="n.f" EntitySet="Items"/>',
      },
      'A spec does not state the entity set of an operation’s results (no caller needs it): f.',
    ],
    [
      'facets of return types',
      { schema: `<Action Name="a" IsBound="true">${bound}<ReturnType Type="Edm.String" MaxLength="9"/></Action>` },
      'A spec does not support facets on a return type: n.a.',
    ],
    [
      'entity sets that are not in the service document',
      { container: '<EntitySet Name="Hidden" EntityType="n.Item" IncludeInServiceDocument="false"/>' },
      'A spec cannot change the service document, which lists entity sets and singletons but no imports: Hidden.',
    ],
    [
      'singletons that may be absent',
      { container: '<Singleton Name="One" Type="n.Item" Nullable="true"/>' },
      'A spec has no nullable singletons: One.',
    ],
    [
      'a set of an unknown type, once',
      { container: '<EntitySet Name="Bad" EntityType="n.Nope"/>' },
      'Types that the document does not declare cannot be used: Bad: n.Nope.',
    ],
    [
      'members of an enumeration whose values JavaScript cannot represent',
      {
        schema:
          '<EnumType Name="E" UnderlyingType="Edm.Int64"><Member Name="A" Value="1"/><Member Name="B" Value="9007199254740993"/></EnumType>',
      },
      'Values of enumeration members must be between -9007199254740991 and 9007199254740991, which JavaScript represents exactly: n.E/B: 9007199254740993.',
    ],
    [
      'members of an enumeration that share a value',
      { schema: '<EnumType Name="E"><Member Name="A" Value="1"/><Member Name="B" Value="1"/></EnumType>' },
      'Members of an enumeration must have unique values; the import keeps the first: n.E/B: 1.',
    ],
    [
      'members of an enumeration whose value is not an integer',
      {
        schema: '<EnumType Name="E"><Member Name="A" Value="1"/><Member Name="B" Value="x"/></EnumType>',
      },
      'Values of enumeration members must be integers: n.E/B: x.',
    ],
    ['terms', { schema: '<Term Name="t" Type="Edm.String"/>' }, 'A spec cannot declare vocabulary terms: n.t.'],
    [
      'annotations with a qualifier',
      { item: '<Annotation Term="Core.Description" Qualifier="q" String="d"/>' },
      'A spec cannot say Core.Description with a qualifier.',
    ],
    [
      'annotations with a qualifier for all of them',
      {
        schema:
          '<Annotations Target="n.Item" Qualifier="q"><Annotation Term="Core.Description" String="d"/></Annotations>',
      },
      'A spec cannot say Core.Description with a qualifier.',
    ],
    [
      'annotations of annotations',
      {
        item: '<Annotation Term="Core.Description" String="d"><Annotation Term="Core.IsLanguageDependent"/></Annotation>',
      },
      'A spec cannot say Core.IsLanguageDependent of an annotation.',
    ],
  ])('%s', (_, parts, message) => {
    const { spec, diagnostics } = importCsdl(metadata(parts), 'm.xml')
    expect(diagnostics.map(diagnostic => diagnostic.message)).toEqual([message])
    expect(spec?.text).not.toContain('description: d\n    key')
  })

  it('annotations of annotations in JSON, at any depth', () => {
    const document = {
      ...{ $Version: '4.01', $EntityContainer: 'n.c' },
      n: {
        c: { $Kind: 'EntityContainer', Items: { $Collection: true, $Type: 'n.Item' } },
        Item: {
          ...{ $Kind: 'EntityType', $Key: ['Id'], Id: { $Type: 'Edm.Int32' } },
          '@Org.OData.Core.V1.Description': 'd',
          '@Org.OData.Core.V1.Description@Org.OData.Core.V1.IsLanguageDependent': true,
          '@Org.OData.Core.V1.Links': [{ rel: 'x', 'rel@Org.OData.Core.V1.Description': 'e' }],
        },
      },
    }
    const { diagnostics } = importCsdl(JSON.stringify(document), 'm.json')
    expect(diagnostics.map(({ message }) => message).sort()).toEqual([
      'A spec cannot say Core.Description of an annotation.',
      'A spec cannot say Core.IsLanguageDependent of an annotation.',
      'A spec cannot say Core.Links.',
    ])
  })

  it('overloads of an unbound action: the first stays, and functions and bound actions keep theirs', () => {
    const one = (kind: string, name: string, content: string, attributes = ''): string =>
      `<${kind} Name="${name}"${attributes}>${content}</${kind}>`
    const given = (name: string): string => `<Parameter Name="${name}" Type="Edm.Int32" Nullable="false"/>`
    const found = '<ReturnType Type="Edm.Int32" Nullable="false"/>'
    const schema = [
      one('Action', 'a', bound, ' IsBound="true"'),
      ...['x', 'y'].map(name => one('Action', 'a', given(name))),
      ...['x', 'y'].map(name => one('Function', 'f', given(name) + found)),
    ].join('')
    const container = '<ActionImport Name="a" Action="n.a"/><FunctionImport Name="f" Function="n.f"/>'
    const { spec, diagnostics } = importCsdl(metadata({ schema, container }), 'm.xml')
    expect(diagnostics.map(({ message }) => message)).toEqual([
      'The standard forbids overloads of an unbound action; the import keeps the first: n.a.',
    ])
    expect(Object.keys(spec?.document.paths ?? {})).toEqual(
      expect.arrayContaining(['/Items({Id})/n.a', '/a', '/f(x={x})', '/f(y={y})']),
    )
    expect(
      Object.values(spec?.document.operations ?? {}).map(({ parameters }) => Object.keys(parameters ?? {})),
    ).toEqual([[], ...[['x'], ['x'], ['y']]])
  })

  it('annotations of an overload name its binding, with or without spaces', () => {
    const action = `<Action Name="a" IsBound="true">${bound}<Parameter Name="x" Type="Edm.Int32" Nullable="false"/></Action>`
    for (const target of ['n.a(n.Item)', 'n.a(n.Item, Edm.Int32)', 'n.a']) {
      const said = `<Annotations Target="${target}"><Annotation Term="Core.Description" String="Does it."/></Annotations>`
      const { spec, diagnostics } = importCsdl(metadata({ schema: action + said }), 'm.xml')
      expect(diagnostics).toEqual([])
      expect(spec?.document.operations?.['a']).toMatchObject({ description: 'Does it.' })
    }
  })
})

describe('the report is ranked:', () => {
  const messages = (parts: Parts): readonly string[] =>
    importCsdl(metadata(parts), 'm.xml').diagnostics.map(({ severity, message }) => `${severity}: ${message}`)

  it('what is left out, then facts, annotations, a line for each vocabulary of a vendor, and notes', () => {
    const item = `<Annotation Term="sap.common.v1.Label" String="a"/><Annotation Term="sap.common.v1.Text" String="b"/>
<Annotation Term="sap.ui.v1.Hidden"/><Annotation Term="Core.IsURL"/><Property Name="X" Type="Edm.Untyped"/>
<NavigationProperty Name="Self" Type="n.Item" Partner="Nobody"/>`
    const schema = `<Function Name="f" IsBound="true" EntitySetPath="b">${bound}<ReturnType Type="n.Item"/></Function>`
    expect(messages({ item, schema })).toEqual([
      'warning: A spec has no type Edm.Untyped; what is of that type is left out: n.Item/X.',
      'warning: Partners must refer to each other, and each relation has one partner: n.Item/Self: Nobody.',
      'warning: A spec cannot say Core.IsURL.',
      'warning: The vocabulary sap.common.v1 is ignored: 2 annotations with 2 terms.',
      'warning: The vocabulary sap.ui.v1 is ignored: 1 annotation with 1 term.',
      'note: A spec does not state the entity set of an operation’s results (no caller needs it): n.f.',
    ])
  })

  it('sets of types that are not declared come before properties', () => {
    const container = '<EntitySet Name="Lost" EntityType="n.Gone"/>'
    expect(messages({ item: '<Property Name="X" Type="Edm.Untyped"/>', container })).toEqual([
      'warning: Types that the document does not declare cannot be used: Lost: n.Gone.',
      'warning: A spec has no type Edm.Untyped; what is of that type is left out: n.Item/X.',
    ])
  })

  it('operations and contained relations without a path are counted', () => {
    const schema = `<EntityType Name="Lost"><Key><PropertyRef Name="Id"/></Key><Property Name="Id" Type="Edm.Int32" Nullable="false"/>
<NavigationProperty Name="Parts" Type="Collection(n.Item)" ContainsTarget="true"/></EntityType>
<Action Name="a" IsBound="true"><Parameter Name="b" Type="n.Lost"/></Action><Action Name="c" IsBound="true">${bound}</Action>
<Function Name="f"><ReturnType Type="Edm.Boolean"/></Function>`
    expect(messages({ schema })).toEqual([
      'warning: 2 of 3 operations have no path: none with at most 2 relations leads to the type that they are bound to, or they are unbound and have no import: n.a.',
      'warning: 1 of 1 contained relations have no path with at most 2 relations: Lost/Parts.',
    ])
  })

  it('the depth is stated if it is less than the default, and what a greater one costs', () => {
    const names = Array.from({ length: 40 }, (_, index) => `T${index}`)
    const relations = names
      .map(name => `<NavigationProperty Name="to${name}" Type="Collection(n.${name})" ContainsTarget="true"/>`)
      .join('')
    const schema = names
      .map(
        name =>
          `<EntityType Name="${name}"><Key><PropertyRef Name="Id"/></Key><Property Name="Id" Type="Edm.Int32" Nullable="false"/>${relations}</EntityType>`,
      )
      .join('')
    const container = '<Singleton Name="One" Type="n.T0"/>'
    expect(messages({ schema, container }).at(-1)).toBe(
      'note: Paths have at most 1 relation, which makes 124 paths. --depth 2 makes 4921, which take longer to generate and to compile.',
    )
  })
})

describe('an element that is left out because it refers to another one', () => {
  const messages = (text: string): readonly string[] =>
    importCsdl(text, 'm.xml').diagnostics.map(({ message }) => message)

  it('is reported after the cause, with its own name and location, and without advice about the generated spec', () => {
    const text = metadata({
      item: '<NavigationProperty Name="Others" Type="Collection(n.Other)" ContainsTarget="true"/>',
      schema: '<EntityType Name="Other" BaseType="o.Base"/>',
      container: '<EntitySet Name="Others" EntityType="n.Other"/>',
    })
    const { spec, diagnostics } = importCsdl(text, 'm.xml')
    expect(diagnostics.map(({ message }) => message)).toEqual([
      'A type must derive from a type of the same kind in the document: n.Other: o.Base.',
      'Entity types in collections need a key; those without one are left out: Other.',
      'Elements that refer to omitted elements are left out, too, 2 times: Item/Others.',
    ])
    const [, , consequence] = diagnostics
    expect(consequence?.location.line).toBe(5)
    expect(consequence?.related.map(({ message, location: place }) => [message, place.line])).toEqual([['Others', 6]])
    expect(Object.keys(spec?.document.paths ?? {})).toEqual(['/Items', '/Items/$count', '/Items({Id})'])
  })

  it('is reported after the errors of its return type', () => {
    const schema =
      '<Function Name="F"><ReturnType Type="Edm.Untyped"/></Function><Action Name="A"><ReturnType Type="o.B"/></Action>'
    expect(messages(metadata({ schema }))).toEqual([
      'Types that the document does not declare cannot be used: n.A: o.B.',
      'A spec has no type Edm.Untyped; what is of that type is left out: n.F.',
      'An operation needs its return type; it is left out, 2 times: n.F.',
    ])
  })

  it('leads to no spec if no path is left', () => {
    const text = metadata({}).replace('<EntityType Name="Item">', '<EntityType Name="Item" BaseType="o.Base">')
    const { spec, diagnostics } = importCsdl(text.replace(/<Key>.*<\/Key>/, ''), 'm.xml')
    expect(spec).toBeUndefined()
    expect(diagnostics.map(({ severity, code }) => [severity, code])).toEqual([
      ['error', 'import/no-paths'],
      ['warning', 'import/base'],
      ['warning', 'import/key'],
      ['warning', 'import/refers-to-left-out'],
    ])
    expect(importCsdl(metadata({}).replace(/<EntitySet.*?\/>/, ''), 'm.xml').diagnostics).toMatchObject([
      { severity: 'error', code: 'import/no-paths' },
    ])
  })
})

describe('members of an enumeration', () => {
  it.each([
    ['have their places as values where they say none', ''],
    ['have them as flags, too', ' IsFlags="true"'],
  ])('%s', (_, flags) => {
    const members = ['A', 'B', 'C', 'D'].map(name => `<Member Name="${name}"/>`).join('')
    const { spec, diagnostics } = importCsdl(
      metadata({ schema: `<EnumType Name="E"${flags}>${members}</EnumType>` }),
      'm',
    )
    expect(diagnostics).toEqual([])
    expect(spec?.document.resources['E']).toMatchObject({ members: { A: 0, B: 1, C: 2, D: 3 } })
  })
})

/** Attributes that record which of them were read. */
class WatchedAttributes extends Map<string, string> {
  readonly asked = new Set<string>()

  override get(name: string): string | undefined {
    this.asked.add(name)
    return super.get(name)
  }

  override has(name: string): boolean {
    this.asked.add(name)
    return super.has(name)
  }
}

/** A copy of an element and its descendants that records reads of attributes. */
function watched(element: CsdlElement, all: CsdlElement[]): CsdlElement {
  const attributes = new WatchedAttributes()
  for (const [name, value] of element.attributes) attributes.set(name, value)
  const copy = { ...element, attributes, children: element.children.map(child => watched(child, all)) }
  all.push(copy)
  return copy
}

describe('every attribute is converted or reported, in', () => {
  const everything = metadata({
    attributes: ' Abstract="false" OpenType="true" HasStream="false"',
    item: `<Property Name="P" Type="Edm.String" MaxLength="9" Unicode="false" DefaultValue="x"/>
      <Property Name="G" Type="Edm.GeographyPoint" SRID="4326"/>
      <Property Name="D" Type="Edm.Decimal" Precision="9" Scale="2"/>
      <NavigationProperty Name="N" Type="n.Item" Partner="M" ContainsTarget="false"/>
      <NavigationProperty Name="M" Type="Collection(n.Item)" Partner="N"><OnDelete Action="Cascade"/></NavigationProperty>
      <NavigationProperty Name="O" Type="n.Item"><ReferentialConstraint Property="Id" ReferencedProperty="Id"/></NavigationProperty>`,
    schema: `<EntityType Name="Other" BaseType="n.Item"/><ComplexType Name="C" OpenType="true" Abstract="true"/>
      <EnumType Name="E" UnderlyingType="Edm.Int64" IsFlags="true"><Member Name="A" Value="1"/></EnumType>
      <TypeDefinition Name="T" UnderlyingType="Edm.String" MaxLength="5"/><Term Name="t" Type="Edm.String" BaseTerm="x"/>
      <Function Name="f" IsBound="true" IsComposable="true" EntitySetPath="b">${bound}<ReturnType Type="n.Item" Nullable="false"/></Function>
      <Action Name="a"><Parameter Name="p" Type="Edm.String" MaxLength="3"/><ReturnType Type="Edm.Decimal" Precision="3" Scale="1"/></Action>`,
    container: `<EntitySet Name="Others" EntityType="n.Other" IncludeInServiceDocument="false">
      <NavigationPropertyBinding Path="N" Target="Items"/></EntitySet><Singleton Name="One" Type="n.Item" Nullable="true"/>
      <ActionImport Name="a" Action="n.a" EntitySet="Items"/>`,
  })
  const fixture = (name: string): string => readFileSync(join(root, 'tests', 'import', 'fixtures', name), 'utf8')

  /** The version is checked earlier. A binding parameter is never null, and no request names it. */
  const immaterial: ReadonlySet<string> = new Set(['Edmx@Version', 'Parameter@Name', 'Parameter@Nullable'])

  it.each([
    ['a schema with everything', everything],
    ['TripPin', fixture('trippin.xml')],
    ['Northwind', fixture('northwind.xml')],
  ])('%s', (_, text) => {
    const { root: document } = readMetadata(text, () => undefined)
    if ('severity' in document) throw new Error(document.message)
    const all: CsdlElement[] = []
    const findings: Finding[] = []
    importDocument(watched(document, all), {}, finding => void findings.push(finding))
    const reported = new Set(findings.map(({ location }) => location))
    const silent = all.flatMap(({ name, attributes, location: spot }) => {
      if (reported.has(spot) || !(attributes instanceof WatchedAttributes)) return []
      return [...attributes.keys()].flatMap(key =>
        attributes.asked.has(key) || /xmlns/.test(key) || immaterial.has(`${name}@${key}`) ? [] : [`${name}@${key}`],
      )
    })
    expect([...new Set(silent)].sort()).toEqual([])
  })
})
