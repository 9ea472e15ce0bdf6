import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { temporaryFolders } from '../../bin/testing/temporary-folder.js'
import { emitCsdlJson } from '../../generator/emit/csdl/emit-csdl-json.js'
import { importCsdl } from '../../generator/import/import-csdl.js'
import { importMetadata } from '../../generator/import/import-metadata.js'
import { generate } from '../../generator/index.js'
import { formatDiagnostics, loadSpec, loadSpecText } from '../../spec/language/index.js'
import { root } from '../root.js'

/** Random documents of each kind. `npm run soak` uses more. */
const runs = Number(process.env['RUNS'] ?? 20)

const edmx = 'xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"'
const edm = 'xmlns="http://docs.oasis-open.org/odata/ns/edm"'

const document = (schema: string, version = '4.0'): string =>
  `<edmx:Edmx Version="${version}" ${edmx}><edmx:DataServices>` +
  `<Schema Namespace="n" ${edm}>${schema}</Schema></edmx:DataServices></edmx:Edmx>`

const withSingleton =
  '<EntityType Name="Root"><Property Name="Name" Type="Edm.String"/></EntityType>' +
  '<EntityContainer Name="c"><Singleton Name="Root" Type="n.Root"/></EntityContainer>'

const service = (types: string): string => document(types + withSingleton)

const said = (text: string): string => formatDiagnostics(importCsdl(text, 'm').diagnostics, { format: 'plain' })

describe('a document that is not metadata is rejected, with location and reason:', () => {
  it.each([
    ['', 'm:1:1 error import/not-metadata: This is neither XML nor JSON.'],
    ['openapi: 3.1.0', 'm:1:1 error import/not-metadata: This is neither XML nor JSON.'],
    ['[]', 'm:1:1 error import/not-metadata: This is JSON but not an object, so it is not CSDL.'],
    [' null', 'm:1:1 error import/not-metadata: This is JSON but not an object, so it is not CSDL.'],
    ['[1, 2', 'm:1:1 error import/not-metadata: This is neither XML nor JSON.'],
    ['<a><b></a>', 'm:1:10 error import/not-well-formed: The document is not well-formed XML: unexpected close tag'],
    ['<a b="1" b="2"/>', 'import/not-well-formed: The document is not well-formed XML: duplicate attribute'],
    ['<a>&x;</a>', 'import/not-well-formed: The document is not well-formed XML: undefined entity'],
    ['<a>\u0000</a>', 'import/not-well-formed: The document is not well-formed XML: disallowed character'],
    ['<html/>', 'm:1:1 error import/not-metadata: The root is <html>, expected <edmx:Edmx>'],
    ['<Edmx Version="4.0"/>', 'import/not-metadata: The root is <Edmx>, expected <edmx:Edmx>'],
    [
      '<Edmx xmlns="http://schemas.microsoft.com/ado/2007/06/edmx" Version="1.0"/>',
      'm:1:1 error import/odata-version: This is the metadata of an earlier version of OData (1 to 3); OData 4 is expected.',
    ],
    [document('', '1.0'), 'import/odata-version: This is the metadata of EDMX 1.0; OData 4 is expected.'],
    [
      document('').replace('docs.oasis-open.org/odata/ns/edm"', 'schemas.microsoft.com/ado/2009/11/edm"'),
      'import/odata-version: The schema belongs to an earlier version of OData (http://schemas.microsoft.com/ado/2009/11/edm)',
    ],
    [document(''), 'import/no-container: The document has no EntityContainer'],
    [
      document('<EntityContainer Name="c"/>').replace('"n"', '"Edm"'),
      'import/namespace: "Edm" is not a valid namespace',
    ],
    ['{', 'import/not-well-formed: The document is not well-formed JSON'],
    ['{ "openapi": "3.1.0" }', 'm:1:1 error import/not-metadata: The document is an OpenAPI document'],
    ['{ "other": 1 }', 'm:1:1 error import/not-metadata: The document has no "$Version"'],
    ['{ "$Version": "2.0" }', 'm:1:3 error import/odata-version: This is CSDL 2.0; OData 4 is expected.'],
    ['{ "$Version": "4.01" }', 'import/no-container'],
  ])('%j', (text, expected) => {
    expect(said(text)).toContain(expected)
    expect(importCsdl(text, 'm').spec).toBeUndefined()
  })

  it.each([
    ['a billion laughs', '<!DOCTYPE a [<!ENTITY x "lol"><!ENTITY y "&x;&x;&x;">]><a>&y;</a>'],
    ['an external entity', '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>'],
    ['an external subset', '<!DOCTYPE a SYSTEM "http://127.0.0.1:9/a.dtd"><a/>'],
  ])('a document type is rejected: %s', (_, text) => {
    expect(said(text)).toMatch(/^m:1:1 error import\/document-type: The document has a document type/)
  })
})

describe('excessive metadata is rejected before it takes time or memory:', () => {
  it.each([
    ['elements', '<a>'.repeat(1_000_000), 'import/too-deep'],
    ['objects', `{"a":`.repeat(500_000), 'import/too-deep'],
    ['but not brackets in a string', `{"$Version":"4.0","x":"${'['.repeat(1_000_000)}"}`, 'import/no-container'],
  ])('nesting: %s', (_, text, code) => {
    expect(said(text)).toContain(code)
  })

  it('more than a million elements', () => {
    expect(said(`<a>${'<a/>'.repeat(1_000_001)}</a>`)).toContain('import/too-large')
  })

  it('an attribute of several megabytes', () => {
    const name = 'x'.repeat(8_000_000)
    const { spec } = importCsdl(service(`<ComplexType Name="${name}"/>`), 'm')
    expect(Object.keys(spec?.document.resources ?? {})).toEqual(['Root'])
  })

  it('a chain of ten thousand derived types, or a cycle', () => {
    const line = Array.from({ length: 10_000 }, (_, i) => `<ComplexType Name="t${i}" BaseType="n.t${i - 1}"/>`)
    const { spec } = importCsdl(service(line.join('')), 'm')
    expect(Object.keys(spec?.document.resources ?? {})).toHaveLength(10_001)
    const circle = [0, 1, 2].map(i => `<ComplexType Name="t${i}" BaseType="n.t${(i + 1) % 3}"/>`)
    expect(said(service(circle.join('')))).toContain(
      'import/base: A type can have at most 64 ancestors, and cannot derive from',
    )
  })

  it('navigation properties from every type to every type', () => {
    const names = Array.from({ length: 70 }, (_, i) => `t${i}`)
    const types = names.map(
      name =>
        `<EntityType Name="${name}"><Key><PropertyRef Name="id"/></Key><Property Name="id" Type="Edm.String"/>` +
        names
          .map(to => `<NavigationProperty Name="to${to}" Type="Collection(n.${to})" ContainsTarget="true"/>`)
          .join('') +
        '</EntityType>',
    )
    const text = document(
      `${types.join('')}<EntityContainer Name="c"><Singleton Name="s" Type="n.t0"/></EntityContainer>`,
    )
    const paths = (depth?: number): number =>
      Object.keys(importCsdl(text, 'm', { depth }).spec?.document.paths ?? {}).length
    expect(paths()).toBeLessThanOrEqual(3000)
    expect(paths(2)).toBeLessThan(11_000)
  })

  it('thousands of annotations of one target', () => {
    const annotations = '<Annotations Target="n.c"><Annotation Term="x.y"/></Annotations>'.repeat(30_000)
    expect(said(service(annotations))).toContain('The vocabulary x is ignored: 30000 annotations with 1 term.')
  })
})

describe('an unreadable file is reported:', () => {
  const folder = temporaryFolders()
  const report = async (path: string): Promise<string> =>
    (await importMetadata(path)).diagnostics.map(({ code }) => code).join()

  it.each<readonly [string, Uint8Array]>([
    ['file/not-utf-8', Buffer.from([0x3c, 0x61, 0xff, 0x2f, 0x3e])],
    ['file/not-utf-8', Buffer.from('\ufeff<a/>', 'utf16le')],
    ['file/too-long', Buffer.alloc(17 * 1024 * 1024, 0x20)],
    ['import/not-metadata', Buffer.from('\ufeff<a/>')],
  ])('%s', async (code, bytes) => {
    const path = join(folder(), 'm.xml')
    writeFileSync(path, bytes)
    expect(await report(path)).toBe(code)
  })

  it('UTF-16, which the XML declaration may name', async () => {
    const path = join(folder(), 'm.xml')
    writeFileSync(path, Buffer.from('\ufeff<?xml version="1.0" encoding="utf-16"?><a/>', 'utf16le'))
    const [diagnostic] = (await importMetadata(path)).diagnostics
    expect(diagnostic?.message).toBe(
      'The file is not UTF-8. Save it in that encoding. If its first line names another encoding (encoding="utf-16"), change that to utf-8, too.',
    )
  })

  it('a missing file, or a folder', async () => {
    const path = folder()
    expect(await report(path)).toBe('file/is-a-folder')
    expect(await report(join(path, 'm.xml'))).toBe('file/not-found')
  })
})

describe('hostile names and texts', () => {
  const strange = [
    'constructor',
    'toString',
    'hasOwnProperty',
    'null',
    'true',
    'yes',
    'Date',
    'String',
    'any',
    'été',
    '数',
  ]
  const unusable = ['__proto__', '_', 'a b', '1a', 'a-b', '😀', '', "a'", 'a/b', `${'$'}{a}`, '*/', 'a\u2028']
  const escaped = (text: string): string => text.replace(/[&<"]/g, character => `&#${character.charCodeAt(0)};`)
  const property = (name: string): string => `<Property Name="${escaped(name)}" Type="Edm.String"/>`
  const entity = (name: string, members: string): string =>
    `<EntityType Name="${escaped(name)}"><Key><PropertyRef Name="id"/></Key>` +
    `<Property Name="id" Type="Edm.String" Nullable="false"/>${members}</EntityType>`
  const set = (name: string): string => `<EntitySet Name="${escaped(name)}" EntityType="n.${escaped(name)}"/>`

  it('are kept if they are valid names, and the generated code compiles', () => {
    const types = strange.map(name => entity(name, strange.map(property).join(''))).join('')
    const text = document(`${types}<EntityContainer Name="c">${strange.map(set).join('')}</EntityContainer>`)
    const { spec } = importCsdl(text, 'm')
    expect(Object.keys(spec?.document.container ?? {})).toEqual(strange)
    expect(Object.keys(spec?.document.resources ?? {})).toHaveLength(strange.length)
    const { files, diagnostics } = generate({ path: 's', text: spec?.text ?? '' })
    expect(formatDiagnostics(diagnostics, { format: 'plain' })).toBe('')
    expect(files.length).toBeGreaterThan(3)
  })

  it('are left out and reported if they are not valid names', () => {
    const types = unusable.map(name => entity(name, '')).join('') + entity('t', unusable.map(property).join(''))
    const sets = [...unusable, 't'].map(set).join('')
    const { spec, diagnostics } = importCsdl(
      document(`${types}<EntityContainer Name="c">${sets}</EntityContainer>`),
      'm',
    )
    expect(Object.keys(spec?.document.resources ?? {})).toEqual(['t'])
    expect(Object.keys(spec?.document.container ?? {})).toEqual(['t'])
    expect(diagnostics.map(({ code }) => code)).toContain('import/name')
  })

  it('of descriptions are kept unchanged', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 200 }).filter(each => each.trim() !== '')
    const hard = fc.constantFrom(
      `*/ ${'$'}{x} \``,
      '---\n- a: b',
      'it\'s #1: {x}, [y] & "z"',
      '\u2028\u00a0\u200b',
      '\\n',
      ' x ',
    )
    fc.assert(
      fc.property(fc.oneof(text, hard), description => {
        const json = {
          $Version: '4.01',
          n: {
            Root: { $Kind: 'EntityType', Name: {} },
            c: { $Kind: 'EntityContainer', Root: { $Type: 'n.Root' }, '@Org.OData.Core.V1.Description': description },
          },
        }
        const { spec } = importCsdl(JSON.stringify(json), 'm')
        const expected = description
          .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]/g, '\ufffd')
          .replace(/\r\n?/g, '\n')
        expect(loadSpecText(spec?.text ?? '', 's').service?.description).toBe(expected)
      }),
    )
  })
})

describe('metadata with random faults', () => {
  const trippin = readFileSync(join(root, 'tests', 'import', 'fixtures', 'trippin.xml'), 'utf8')
  const words = [...new Set(trippin.match(/"[^"]*"/g))]

  const expectSound = (text: string): void => {
    const { spec, diagnostics } = importCsdl(text, 'm')
    if (spec === undefined) {
      expect(diagnostics.some(({ severity }) => severity === 'error')).toBe(true)
      return
    }
    const loaded = loadSpecText(spec.text, 's')
    expect(formatDiagnostics(loaded.diagnostics, { format: 'plain' })).toBe('')
    const { diagnostics: named } = generate({ path: 's', text: spec.text }, { only: ['types'] })
    expect(formatDiagnostics(named, { format: 'plain' })).toBe('')
  }

  it('give a valid spec or an error: with words exchanged', () => {
    const places = [...trippin.matchAll(/"[^"]*"/g)].slice(8).map(({ index }) => index)
    const change = fc.record({ at: fc.constantFrom(...places), word: fc.constantFrom(...words, '""', '"x"', '"-1"') })
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), changes => {
        let text = trippin
        for (const { at, word } of changes.sort((a, b) => b.at - a.at)) {
          text = text.slice(0, at) + word + text.slice(text.indexOf('"', at + 1) + 1)
        }
        expectSound(text)
      }),
      { numRuns: runs },
    )
  })

  it('give a valid spec or an error: with lines removed or repeated', () => {
    const lines = trippin.split('\n')
    fc.assert(
      fc.property(fc.array(fc.nat(lines.length - 1), { minLength: 1, maxLength: 3 }), fc.boolean(), (at, twice) => {
        expectSound(
          lines.flatMap((line, index) => (!at.includes(index) ? [line] : twice ? [line, line] : [])).join('\n'),
        )
      }),
      { numRuns: runs },
    )
  })

  it('give a valid spec or an error: with values of exported JSON exchanged', async () => {
    const { service: library } = await loadSpec(join(root, 'spec', 'starter.yaml'))
    if (library === undefined) throw new Error('the spec of the package is sound')
    const json = emitCsdlJson(library)
    const values = [...json.matchAll(/: (?:"[^"]*"|true|false|\d+)(?=[,\n])/g)]
    const other = fc.constantFrom(
      ...values.map(([text]) => text),
      ': null',
      ': {}',
      ': []',
      ': ""',
      ': -1',
      ': "__proto__"',
    )
    const exchanged = (old: string, index: number, text: string): string =>
      json.slice(0, index) + text + json.slice(index + old.length)
    const named = values.filter(({ index }) => json.slice(0, index).endsWith('"Name"'))
    for (const { 0: old, index } of named.slice(0, 12)) expectSound(exchanged(old, index, ': "__proto__"'))
    fc.assert(
      fc.property(fc.constantFrom(...values), other, ({ 0: old, index }, text) => {
        expectSound(exchanged(old, index, text))
      }),
      { numRuns: runs },
    )
  })
})
