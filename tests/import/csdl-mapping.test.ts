import { describe, expect, it } from 'vitest'
import { emitCsdlXml } from '../../generator/emit/csdl/emit-csdl-xml.js'
import { importCsdl } from '../../generator/import/import-csdl.js'
import { formatDiagnostics, loadSpecText, type SpecDocument } from '../../spec/language/index.js'

/** Metadata with two entity sets, and additions to the schema, the container and the first set. */
function metadata({ schema = '', container = '', set = '', item = '' }: Record<string, string>): string {
  return `<edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
<edmx:Reference Uri="x"><edmx:Include Namespace="Org.OData.Core.V1" Alias="Core"/></edmx:Reference>
<edmx:Reference Uri="y"><edmx:Include Namespace="Org.OData.Capabilities.V1" Alias="Cap"/></edmx:Reference>
<edmx:Reference Uri="z"><edmx:Include Namespace="Org.OData.Validation.V1" Alias="Validation"/></edmx:Reference>
<edmx:DataServices><Schema Namespace="n" Alias="self" xmlns="http://docs.oasis-open.org/odata/ns/edm">
<EntityType Name="Item"><Key><PropertyRef Name="Id"/></Key>
<Property Name="Id" Type="Edm.Int32" Nullable="false"/>${item}</EntityType>
<EntityType Name="Part"><Key><PropertyRef Name="No"/></Key><Property Name="No" Type="Edm.Int32" Nullable="false"/></EntityType>
${schema}<EntityContainer Name="c"><EntitySet Name="Items" EntityType="n.Item">${set}</EntitySet>
<EntitySet Name="Parts" EntityType="self.Part"/>${container}</EntityContainer></Schema></edmx:DataServices></edmx:Edmx>`
}

function imported(parts: Record<string, string>): SpecDocument {
  const { spec, diagnostics } = importCsdl(metadata(parts), 'm.xml')
  if (spec === undefined) throw new Error(formatDiagnostics(diagnostics, { format: 'plain' }))
  expect(formatDiagnostics(loadSpecText(spec.text, 's').diagnostics, { format: 'plain' })).toBe('')
  return spec.document
}

/** The member at a path of keys. */
const at = (document: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (part, key) => (typeof part === 'object' && part !== null ? Reflect.get(part, key) : undefined),
    document,
  )

const record = (members: string): string => `<Record>${members}</Record>`
const restriction = (term: string, members: string): string =>
  `<Annotation Term="Cap.${term}">${record(members)}</Annotation>`
const no = (member: string): string => `<PropertyValue Property="${member}" Bool="false"/>`

describe('a property of CSDL becomes a property of the spec:', () => {
  it.each<readonly [string, unknown]>([
    ['Type="Edm.String"', { type: 'String', nullable: true }],
    [
      'Type="Edm.String" Nullable="false" MaxLength="9" Unicode="false"',
      { type: 'String', maxLength: 9, unicode: false },
    ],
    ['Type="Edm.String" MaxLength="max"', { type: 'String', nullable: true }],
    ['Type="Collection(Edm.Guid)" Nullable="false"', { type: 'Guid', collection: true }],
    ['Type="Edm.Decimal" Nullable="false" Precision="9" Scale="2"', { type: 'Decimal', precision: 9, scale: 2 }],
    ['Type="Edm.Decimal" Nullable="false" Scale="variable"', { type: 'Decimal' }],
    ['Type="Edm.Duration" Nullable="false" Precision="12"', { type: 'Duration' }],
    ['Type="Edm.Boolean" Nullable="false" DefaultValue="true"', { type: 'Boolean', default: true }],
    ['Type="Edm.Int16" Nullable="false" DefaultValue="-7"', { type: 'Int16', default: -7 }],
    ['Type="Edm.String" Nullable="false" DefaultValue="7"', { type: 'String', default: '7' }],
    ['Type="Edm.Decimal" Nullable="false" DefaultValue="1.50"', { type: 'Decimal', default: '1.50' }],
    ['Type="Edm.Date" Nullable="false" DefaultValue="yesterday"', { type: 'Date' }],
  ])('%s', (attributes, expected) => {
    const document = imported({ item: `<Property Name="P" ${attributes}/>` })
    expect(at(document, 'resources', 'Item', 'properties', 'P')).toEqual(expected)
  })

  it.each<readonly [string, unknown]>([
    ['<Annotation Term="Core.Computed"/>', { computed: true }],
    ['<Annotation Term="Core.Computed" Bool="false"/>', {}],
    ['<Annotation Term="Core.Permissions" EnumMember="Core.Permission/Read"/>', { computed: true }],
    ['<Annotation Term="Core.Immutable" Bool="true"/>', { createOnly: true }],
    ['<Annotation Term="Org.OData.Core.V1.Description" String="What?"/>', { description: 'What?' }],
    ['<Annotation Term="Core.Description"><String>What?</String></Annotation>', { description: 'What?' }],
    ['<Annotation Term="Core.Description" Qualifier="short" String="What?"/>', {}],
    ['<Annotation Term="Validation.Minimum" Int="3"/>', { minimum: 3 }],
    ['<Annotation Term="Validation.Minimum" Path="Id"/>', {}],
  ])('%s', (annotation, expected) => {
    const inline = imported({ item: `<Property Name="P" Type="Edm.Int32" Nullable="false">${annotation}</Property>` })
    expect(at(inline, 'resources', 'Item', 'properties', 'P')).toEqual({ type: 'Int32', ...Object(expected) })
    const targeted = imported({
      item: '<Property Name="P" Type="Edm.Int32" Nullable="false"/>',
      schema: `<Annotations Target="self.Item/P">${annotation}</Annotations>`,
    })
    expect(at(targeted, 'resources', 'Item', 'properties', 'P')).toEqual({ type: 'Int32', ...Object(expected) })
  })
})

/** The methods of each path that begins so. */
const methodsBelow = (document: SpecDocument, start: string): unknown =>
  Object.fromEntries(
    Object.entries(document.paths)
      .filter(([path]) => path.startsWith(start))
      .map(([path, endpoints]) => [path, Object.keys(endpoints).join()]),
  )

describe('what only a derived type has', () => {
  const special = (members: string): string =>
    `<EntityType Name="Special" BaseType="n.Item">${members}</EntityType>
<Action Name="Hire" IsBound="true"><Parameter Name="b" Type="n.Special"/></Action>
<Function Name="Best" IsBound="true"><Parameter Name="b" Type="Collection(n.Special)"/><ReturnType Type="n.Special"/></Function>`
  const members = `<NavigationProperty Name="Notes" Type="Collection(n.Part)" ContainsTarget="true"/>
<NavigationProperty Name="Friends" Type="Collection(n.Item)"/>`

  it('gets paths behind a type cast: operations and contained relations', () => {
    expect(methodsBelow(imported({ schema: special(members) }), '/Items')).toEqual({
      '/Items': 'get,post',
      '/Items/$count': 'get',
      '/Items({Id})': 'get,patch,delete',
      '/Items/n.Special/n.Best()': 'get',
      '/Items({Id})/n.Special/n.Hire': 'post',
      '/Items({Id})/n.Special/Notes': 'get,post',
      '/Items({Id})/n.Special/Notes/$count': 'get',
      '/Items({Id})/n.Special/Notes({No})': 'get,patch,delete',
    })
  })

  it('gets none if a set of that type leads there already', () => {
    const container = '<EntitySet Name="Specials" EntityType="n.Special"/>'
    const document = imported({ schema: special(members), container })
    expect(Object.keys(Object(methodsBelow(document, '/Items')))).toEqual(['/Items', '/Items/$count', '/Items({Id})'])
    expect(Object.keys(Object(methodsBelow(document, '/Specials')))).toContain('/Specials({Id})/n.Hire')
  })

  it('gets them also if a singleton of that type has paths: it is one item', () => {
    const container = '<Singleton Name="Best" Type="n.Special"/>'
    const document = imported({ schema: special(members), container })
    expect(Object.keys(Object(methodsBelow(document, '/Best')))).toContain('/Best/n.Hire')
    expect(methodsBelow(document, '/Items({Id})/n.Special/')).toEqual({
      '/Items({Id})/n.Special/n.Hire': 'post',
      '/Items({Id})/n.Special/Notes': 'get,post',
      '/Items({Id})/n.Special/Notes/$count': 'get',
      '/Items({Id})/n.Special/Notes({No})': 'get,patch,delete',
    })
  })

  it('obeys restrictions whose path has the cast', () => {
    const set = restriction(
      'NavigationRestrictions',
      `<PropertyValue Property="RestrictedProperties"><Collection>${record(
        `<PropertyValue Property="NavigationProperty" NavigationPropertyPath="n.Special/Notes"/>
<PropertyValue Property="InsertRestrictions">${record(no('Insertable'))}</PropertyValue>`,
      )}</Collection></PropertyValue>`,
    )
    const document = imported({ schema: special(members), set })
    expect(methodsBelow(document, '/Items({Id})/n.Special/Notes')).toMatchObject({
      '/Items({Id})/n.Special/Notes': 'get',
    })
  })
})

describe('a relation that is not contained', () => {
  const item = '<NavigationProperty Name="Bs" Type="Collection(n.Part)"/>'
  it.each([
    ['is only read', '', 'get'],
    ['takes new items if the metadata say so', 'true', 'get,post'],
    ['takes none if they say so', 'false', 'get'],
  ])('%s', (_, insertable, expected) => {
    const insert = record(`<PropertyValue Property="Insertable" Bool="${insertable}"/>`)
    const set = restriction(
      'NavigationRestrictions',
      `<PropertyValue Property="RestrictedProperties"><Collection>${record(
        `<PropertyValue Property="NavigationProperty" NavigationPropertyPath="Bs"/>
<PropertyValue Property="InsertRestrictions">${insert}</PropertyValue>`,
      )}</Collection></PropertyValue>`,
    )
    const document = imported({ item, set: insertable === '' ? '' : set })
    expect(methodsBelow(document, '/Items({Id})/Bs')).toMatchObject({ '/Items({Id})/Bs': expected })
  })
})

describe('annotations of the container', () => {
  it('state the functions of all filters, which a set can restrict further', () => {
    const functions = (...names: readonly string[]): string =>
      `<Annotation Term="Cap.FilterFunctions"><Collection>${names.map(name => `<String>${name}</String>`).join('')}</Collection></Annotation>`
    const document = imported({ container: functions('contains', 'length'), set: functions('contains') })
    const allowed = (path: string): unknown =>
      at(document, 'queryOptions', String(at(document, 'paths', path, 'get', 'query')), 'filter', 'functions')
    expect([allowed('/Items'), allowed('/Parts')]).toEqual([['contains'], ['contains', 'length']])
  })
})

describe('restrictions of the Capabilities vocabulary remove methods and options:', () => {
  const methods = (document: SpecDocument): unknown =>
    Object.fromEntries(
      Object.entries(document.paths)
        .filter(([path]) => path.startsWith('/Items'))
        .map(([path, endpoints]) => [path, Object.keys(endpoints).join()]),
    )
  const all = { '/Items': 'get,post', '/Items/$count': 'get', '/Items({Id})': 'get,patch,delete' }

  it.each<readonly [string, unknown]>([
    ['', all],
    [restriction('InsertRestrictions', no('Insertable')), { ...all, '/Items': 'get' }],
    [restriction('UpdateRestrictions', no('Updatable')), { ...all, '/Items({Id})': 'get,delete' }],
    [restriction('DeleteRestrictions', no('Deletable')), { ...all, '/Items({Id})': 'get,patch' }],
    [restriction('CountRestrictions', no('Countable')), { '/Items': 'get,post', '/Items({Id})': 'get,patch,delete' }],
    [restriction('ReadRestrictions', no('Readable')), { '/Items': 'post', '/Items({Id})': 'patch,delete' }],
    ['<Annotation Term="Cap.IndexableByKey" Bool="false"/>', { ...all, '/Items({Id})': 'patch,delete' }],
    [
      restriction(
        'UpdateRestrictions',
        '<PropertyValue Property="UpdateMethod" EnumMember="Cap.HttpMethod/PUT Cap.HttpMethod/PATCH"/>',
      ),
      { ...all, '/Items({Id})': 'get,patch,put,delete' },
    ],
  ])('%s', (set, expected) => {
    expect(methods(imported({ set }))).toEqual(expected)
  })

  it('query options', () => {
    const terms = ['TopSupported', 'SkipSupported']
      .map(term => `<Annotation Term="Cap.${term}" Bool="false"/>`)
      .join('')
    const set =
      terms +
      restriction('SelectSupport', no('Supported')) +
      restriction('ExpandRestrictions', no('Expandable')) +
      restriction('SearchRestrictions', no('Searchable')) +
      restriction('SortRestrictions', no('Sortable')) +
      restriction('FilterRestrictions', no('Filterable')) +
      restriction('CountRestrictions', no('Countable'))
    expect(at(imported({ set }), 'paths', '/Items', 'get')).toEqual({ returns: 'collection' })
  })

  it.each<readonly [string, unknown]>([
    ['', { maxDepth: 3, nested: ['expand', 'select', 'filter', 'orderby', 'top', 'skip', 'count'] }],
    [
      '<PropertyValue Property="MaxLevels" Int="-1"/>',
      { maxDepth: 3, nested: ['expand', 'select', 'filter', 'orderby', 'top', 'skip', 'count'] },
    ],
    [
      '<PropertyValue Property="MaxLevels" Int="2"/>',
      { maxDepth: 2, nested: ['expand', 'select', 'filter', 'orderby', 'top', 'skip', 'count'] },
    ],
    [
      '<PropertyValue Property="MaxLevels" Int="1"/>',
      { nested: ['select', 'filter', 'orderby', 'top', 'skip', 'count'] },
    ],
    [
      '<PropertyValue Property="NonExpandableProperties"><Collection><NavigationPropertyPath>A</NavigationPropertyPath></Collection></PropertyValue>',
      {
        relations: ['B'],
        maxDepth: 3,
        nested: ['expand', 'select', 'filter', 'orderby', 'top', 'skip', 'count'],
      },
    ],
  ])('$expand: %s', (members, expected) => {
    const item = ['A', 'B'].map(name => `<NavigationProperty Name="${name}" Type="Collection(n.Part)"/>`).join('')
    const document = imported({ item, set: restriction('ExpandRestrictions', members) })
    const query = at(document, 'paths', '/Items', 'get', 'query')
    expect(at(document, 'queryOptions', String(query), 'expand')).toEqual(expected)
  })

  it('the most specific annotation wins: the path from the set, the navigation property, the type', () => {
    const item = '<NavigationProperty Name="Parts" Type="Collection(n.Part)" ContainsTarget="true"/>'
    const about = (target: string, insertable: boolean): string =>
      `<Annotations Target="n.${target}">${restriction('InsertRestrictions', `<PropertyValue Property="Insertable" Bool="${insertable}"/>`)}</Annotations>`
    const fromSet = restriction(
      'NavigationRestrictions',
      `<PropertyValue Property="RestrictedProperties"><Collection>${record(
        `<PropertyValue Property="NavigationProperty" NavigationPropertyPath="Parts"/>
         <PropertyValue Property="InsertRestrictions">${record('<PropertyValue Property="Insertable" Bool="true"/>')}</PropertyValue>`,
      )}</Collection></PropertyValue>`,
    )
    const canInsert = (parts: Record<string, string>): boolean =>
      at(imported({ item, ...parts }), 'paths', '/Items({Id})/Parts', 'post') !== undefined
    expect(canInsert({})).toBe(true)
    expect(canInsert({ schema: about('Part', false) })).toBe(false)
    expect(canInsert({ schema: about('Part', false) + about('Item/Parts', true) })).toBe(true)
    expect(canInsert({ schema: about('Item/Parts', false) })).toBe(false)
    expect(canInsert({ schema: about('Item/Parts', false), set: fromSet })).toBe(true)
  })
})

describe('the feature batch', () => {
  const tag = (term: string, content: string): string =>
    `<Annotations Target="self.c"><Annotation Term="Cap.${term}"${content}</Annotations>`
  const support = (...members: readonly string[]): string =>
    tag('BatchSupport', `><Record>${members.join('')}</Record></Annotation>`)
  const formats = (...types: readonly string[]): string => {
    const texts = types.map(type => `<String>${type}</String>`).join('')
    return `<PropertyValue Property="SupportedFormats"><Collection>${texts}</Collection></PropertyValue>`
  }
  const unsupported = '<PropertyValue Property="Supported" Bool="false"/>'

  it.each([
    ['is optional if the container says nothing', '', 'optional'],
    ['is optional if no form is named', tag('BatchSupported', '/>'), 'optional'],
    ['is none if the container denies batches', tag('BatchSupported', ' Bool="false"/>'), 'none'],
    ['is none if the record denies batches', support(unsupported, formats('application/json')), 'none'],
    ['is optional if the record names no form', support(), 'optional'],
    ['is required if JSON is a form', support(formats('multipart/mixed', 'application/json')), 'required'],
    ['is none if JSON is not', support(formats('multipart/mixed')), 'none'],
  ])('%s', (_, schema, expected) => {
    const { spec, diagnostics } = importCsdl(metadata({ schema }), 'm.xml')
    expect(diagnostics).toEqual([])
    expect(spec?.document.features).toMatchObject({ batch: expected })
  })
})

describe('$apply', () => {
  const texts = (...names: readonly string[]): string =>
    `<PropertyValue Property="Transformations"><Collection>${names.map(name => `<String>${name}</String>`).join('')}</Collection></PropertyValue>`
  const none = '<PropertyValue Property="Rollup" EnumMember="Agg.RollupType/None"/>'

  it.each([
    ['is not supported if the metadata say nothing', undefined, undefined],
    ['has all transformations if they name none', '', true],
    ['has those that they name', texts('groupby', 'aggregate', 'join'), { transformations: ['aggregate', 'groupby'] }],
    ['has no rollup if they deny it', none, { rollup: false }],
    ['is not supported if they name unknown ones only', texts('join'), undefined],
  ])('%s', (_, members, expected) => {
    const term = `<Annotations Target="n.c/Parts"><Annotation Term="Org.OData.Aggregation.V1.ApplySupported"><Record>${members}</Record></Annotation></Annotations>`
    const { queryOptions, paths } = imported({ schema: members === undefined ? '' : term })
    const name = at({ paths }, 'paths', '/Parts', 'get', 'query')
    expect(at({ queryOptions }, 'queryOptions', String(name), 'apply')).toEqual(expected)
  })
})

describe('the feature respondAsync', () => {
  it.each([
    ['is none if the container says nothing', '', undefined],
    ['is optional if the container has it', '/>', 'optional'],
    ['is none if the container denies it', ' Bool="false"/>', undefined],
  ])('%s', (_, content, expected) => {
    const tag = `<Annotations Target="self.c"><Annotation Term="Cap.AsynchronousRequestsSupported"${content}</Annotations>`
    const { spec, diagnostics } = importCsdl(metadata({ schema: content === '' ? '' : tag }), 'm.xml')
    expect([diagnostics, spec?.document.features?.respondAsync]).toEqual([[], expected])
  })
})

describe('the feature upsert', () => {
  it.each([
    ['is optional if the metadata say nothing', '', 'optional'],
    ['is optional if the container says so', 'true', 'optional'],
    ['is none if the container denies it', 'false', undefined],
  ])('%s', (_, word, expected) => {
    const record = `<Record><PropertyValue Property="Upsertable" Bool="${word}"/></Record>`
    const restrictions = `<Annotations Target="self.c"><Annotation Term="Cap.UpdateRestrictions">${record}</Annotation></Annotations>`
    const { spec, diagnostics } = importCsdl(metadata({ schema: word === '' ? '' : restrictions }), 'm.xml')
    expect([diagnostics, spec?.document.features?.upsert]).toEqual([[], expected])
  })
})

describe('a key of one part', () => {
  const tag = (attribute: string): string =>
    `<Annotations Target="self.c"><Annotation Term="Cap.KeyAsSegmentSupported"${attribute}/></Annotations>`
  const item = '<NavigationProperty Name="Parts" Type="Collection(n.Part)" ContainsTarget="true"/>'

  it.each<readonly [string, string, boolean | undefined, string]>([
    ['is in parentheses, which every service supports', '', undefined, '/Items({Id})/Parts({No})'],
    ['is a segment if the container says so', tag(''), undefined, '/Items/{Id}/Parts/{No}'],
    ['is a segment if the container says so with a value', tag(' Bool="true"'), undefined, '/Items/{Id}/Parts/{No}'],
    ['is in parentheses if the container denies it', tag(' Bool="false"'), undefined, '/Items({Id})/Parts({No})'],
    ['is a segment if the user says so', tag(' Bool="false"'), true, '/Items/{Id}/Parts/{No}'],
    ['is in parentheses if the user says so', tag(''), false, '/Items({Id})/Parts({No})'],
  ])('%s', (_, schema, keyAsSegment, path) => {
    const { spec, diagnostics } = importCsdl(metadata({ schema, item }), 'm.xml', { keyAsSegment })
    expect(diagnostics).toEqual([])
    expect(Object.keys(spec?.document.paths ?? {})).toContain(path)
    expect(spec?.keyStyle).toBe(path.includes('(') ? 'parentheses' : 'segment')
  })

  it('is not reported if there is no key', () => {
    const single =
      '<edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>' +
      '<Schema Namespace="n" xmlns="http://docs.oasis-open.org/odata/ns/edm"><EntityType Name="Root"/>' +
      '<EntityContainer Name="c"><Singleton Name="Root" Type="n.Root"/></EntityContainer></Schema></edmx:DataServices></edmx:Edmx>'
    expect(importCsdl(single, 'm').spec).toHaveProperty('document')
    expect(importCsdl(single, 'm').spec).not.toHaveProperty('keyStyle')
  })
})

describe('alternate keys', () => {
  const part = (name: string): string =>
    record(`<PropertyValue Property="Name" PropertyPath="${name}"/><PropertyValue Property="Alias" String="${name}"/>`)
  const alternate = (...names: readonly string[]): string =>
    record(`<PropertyValue Property="Key"><Collection>${names.map(part).join('')}</Collection></PropertyValue>`)
  const item =
    `<Annotation Term="Core.AlternateKeys"><Collection>${alternate('Code')}${alternate('Land', 'No')}</Collection></Annotation>` +
    ['Code', 'Land', 'No'].map(name => `<Property Name="${name}" Type="Edm.String"/>`).join('')

  it('get paths to items, and a property that is one alone is unique', () => {
    const set = restriction('DeleteRestrictions', no('Deletable'))
    const document = imported({ item, set })
    expect(at(document, 'resources', 'Item')).toMatchObject({
      key: ['Id'],
      alternateKeys: [['Code'], ['Land', 'No']],
      properties: { Code: { type: 'String', nullable: true, unique: true }, Land: { type: 'String', nullable: true } },
    })
    expect(Object.keys(document.paths)).toEqual([
      '/Items',
      '/Items/$count',
      '/Items({Id})',
      '/Items(Code={Code})',
      '/Items(Land={Land},No={No})',
      ...['/Parts', '/Parts/$count', '/Parts({No})'],
    ])
    expect(document.paths['/Items(Land={Land},No={No})']).toEqual({
      get: { returns: 'item', query: 'item' },
      patch: { updates: 'item' },
    })
  })

  it('give names in camel case', () => {
    const signed =
      `<Annotation Term="Core.AlternateKeys"><Collection>${alternate('call_sign', 'Land')}</Collection></Annotation>` +
      ['call_sign', 'Land'].map(name => `<Property Name="${name}" Type="Edm.String"/>`).join('')
    const { service } = loadSpecText(JSON.stringify(imported({ item: signed })), 's')
    const names = service?.endpoints.flatMap(({ name }) => (/By/.test(name) ? [name] : []))
    expect(names).toEqual(['get', 'update', 'delete'].map(verb => `Items.${verb}ByCallSignAndLand`))
  })
})

describe('a binding to an entity set', () => {
  const toy = '<Key><PropertyRef Name="No"/></Key><Property Name="No" Type="Edm.Int32" Nullable="false"/>'
  const schema =
    `<EntityType Name="Toy">${toy}<NavigationProperty Name="box" Type="n.Toy"/></EntityType>` +
    '<EntityType Name="Dog" BaseType="self.Item"><NavigationProperty Name="toy" Type="n.Toy"/></EntityType>'
  const container = '<EntitySet Name="OldToys" EntityType="n.Toy"/><EntitySet Name="Toys" EntityType="n.Toy"/>'
  const set = '<NavigationPropertyBinding Path="self.Dog/toy" Target="Toys"/>'

  it('can start at a relation of a derived type', () => {
    expect(imported({ schema, container, set }).container['Items']).toMatchObject({ bindings: { 'n.Dog/toy': 'Toys' } })
  })

  it('of a derived type says where a path behind the cast leads, and is exported', () => {
    const document = imported({ schema, container, set })
    const paths = { '/Items({Id})/n.Dog/toy/box': { get: { returns: 'item' } } }
    const { service } = loadSpecText(JSON.stringify({ ...document, paths }), 's')
    const [, , , box] = service?.endpoints[0]?.resolved.slice(1) ?? []
    expect(box).toMatchObject({ kind: 'navigation', source: { name: 'Toys' } })
    expect(service === undefined ? '' : emitCsdlXml(service)).toContain(
      '<NavigationPropertyBinding Path="n.Dog/toy" Target="Toys"/>',
    )
  })

  it.each(['self.Part/toy', 'self.Dog/none', 'self.Dog/self.Dog/toy', 'x.Dog/toy', '/toy'])(
    'cannot start at %s, which is reported',
    path => {
      const { diagnostics } = importCsdl(
        metadata({ schema, container, set: set.replace('self.Dog/toy', path) }),
        'm.xml',
      )
      expect(diagnostics.map(({ code }) => code)).toEqual(['import/binding-path'])
    },
  )
})

describe('a container that extends another', () => {
  const containers = (own: string, base: string): string =>
    '<edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>' +
    '<Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="base"><EntityType Name="A"><Key><PropertyRef Name="i"/></Key>' +
    '<Property Name="i" Type="Edm.Int32" Nullable="false"/><NavigationProperty Name="next" Type="base.A"/></EntityType>' +
    `${base}</Schema><Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="s">${own}` +
    '<Annotations Target="base.C0/Olds"><Annotation Term="Org.OData.Core.V1.Description" String="Old ones."/></Annotations>' +
    '</Schema></edmx:DataServices></edmx:Edmx>'
  const base = '<EntityContainer Name="C0"><EntitySet Name="Olds" EntityType="base.A"/></EntityContainer>'
  const set = (name: string, target: string): string =>
    `<EntitySet Name="${name}" EntityType="base.A"><NavigationPropertyBinding Path="next" Target="${target}"/></EntitySet>`

  it('has the members of both, whichever comes first', () => {
    const own = `<EntityContainer Name="C" Extends="base.C0">${set('As', 'base.C0/Olds')}</EntityContainer>`
    const { spec, diagnostics } = importCsdl(containers(own, base), 'm.xml')
    expect(diagnostics).toEqual([])
    expect(spec?.document.container).toEqual({
      As: { entitySet: 'A', bindings: { next: 'Olds' } },
      Olds: { entitySet: 'A', description: 'Old ones.' },
    })
  })

  it('determines the name and namespace of the service, wherever the types are', () => {
    const own = '<EntityContainer Name="C" Extends="base.C0"/>'
    const { spec } = importCsdl(containers(own, base), 'm.xml')
    expect(spec?.document.service).toMatchObject({ name: 's', namespace: 's' })
    expect(spec?.document.resources['A']?.qualifiedName).toBe('base.A')
  })

  it('of another document lacks its members, which is reported', () => {
    const own = `<EntityContainer Name="C" Extends="other.C0">${set('As', 'As')}</EntityContainer>`
    const { spec, diagnostics } = importCsdl(containers(own, ''), 'm.xml')
    expect(diagnostics.map(({ code, message }) => [code, message])).toEqual(
      expect.arrayContaining([
        [
          'import/extends',
          'A container lacks what it inherits from another document, which the import does not read: s.C extends other.C0.',
        ],
      ]),
    )
    expect(Object.keys(spec?.document.container ?? {})).toEqual(['As'])
  })

  it('is the one that the JSON names, if there are several', () => {
    const container = { $Kind: 'EntityContainer' }
    const one = { One: { $Type: 'n.T' } }
    const json = {
      ...{ $Version: '4.01', $EntityContainer: 'n.b' },
      n: {
        T: { $Kind: 'EntityType' },
        a: container,
        b: { ...container, ...one },
        c: { ...container, $Extends: 'n.b' },
      },
    }
    expect(Object.keys(importCsdl(JSON.stringify(json), 'm').spec?.document.container ?? {})).toEqual(['One'])
  })
})

describe('operations', () => {
  const part = '<Parameter Name="part" Type="n.Part" Nullable="false"/>'
  const returns = '<ReturnType Type="Edm.Int32" Nullable="false"/>'

  it('are called at their binding, by their qualified names, and by their imports', () => {
    const schema =
      `<Function Name="Size" IsBound="true">${part}${returns}</Function>` +
      `<Function Name="Size" IsBound="true">${part}<Parameter Name="unit" Type="Edm.String"/>${returns}</Function>` +
      `<Action Name="Close" IsBound="true">${part.replace('n.Part', 'Collection(n.Part)')}</Action>` +
      `<Function Name="Sum">${returns}</Function><Function Name="delta" IsBound="true">${part.replace('n.Part', 'Collection(n.Part)')}` +
      '<ReturnType Type="Collection(n.Part)"/></Function>'
    const { paths, operations } = imported({ schema, container: '<FunctionImport Name="Total" Function="n.Sum"/>' })
    expect(operations).not.toHaveProperty('delta')
    expect(Object.keys(paths).filter(path => !path.startsWith('/Items'))).toEqual([
      '/Parts',
      '/Parts/$count',
      '/Parts/n.Close',
      '/Parts/delta',
      '/Parts({No})',
      '/Parts({No})/n.Size()',
      '/Parts({No})/n.Size(unit={unit})',
      '/Total()',
    ])
    expect(paths['/Total()']).toEqual({ resource: 'Sum()', get: { calls: 'Sum' } })
  })

  it('need the scopes that their restrictions name', () => {
    const scopes = `<PropertyValue Property="Scopes"><Collection>${record('<PropertyValue Property="Scope" String="Do.It"/>')}</Collection></PropertyValue>`
    const permissions = `<PropertyValue Property="Permissions"><Collection>${record(`<PropertyValue Property="SchemeName" String="x"/>${scopes}`)}</Collection></PropertyValue>`
    const schema = `<Action Name="Do" IsBound="true">${part}${restriction('OperationRestrictions', permissions)}</Action>`
    const document = imported({ schema })
    expect(at(document, 'paths', '/Parts({No})/n.Do', 'post', 'scopes')).toEqual(['Do.It'])
    expect(document.authentication).toEqual({ scheme: 'bearer', scopes: { 'Do.It': 'Do.It' } })
  })
})

describe('types of several schemas', () => {
  it('get distinct names, also if only generated code could not distinguish them', () => {
    const schema =
      '<ComplexType Name="A"/><ComplexType Name="B"/></Schema><Schema Namespace="n.more" xmlns="http://docs.oasis-open.org/odata/ns/edm">' +
      '<ComplexType Name="Item"/><ComplexType Name="item"/><EnumType Name="Date"><Member Name="a"/></EnumType>' +
      '</Schema><Schema Namespace="n.c" xmlns="http://docs.oasis-open.org/odata/ns/edm">'
    const { resources } = imported({ schema })
    expect(Object.entries(resources).map(([name, resource]) => [name, resource.qualifiedName])).toEqual([
      ['Item', 'n.Item'],
      ['Part', 'n.Part'],
      ['A', 'n.A'],
      ['B', 'n.B'],
      ['moreItem', 'n.more.Item'],
      ['itemType', 'n.more.item'],
      ['moreDate', 'n.more.Date'],
    ])
  })
})
