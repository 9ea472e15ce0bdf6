import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolders } from '../../../bin/testing/temporary-folder.js'
import { formatDiagnostics } from '../diagnostics/format-diagnostics.js'
import { type LoadedSpec, loadSpec, loadSpecText } from '../load.js'
import { includedName, maxIncludeDepth, maxIncludes } from './include.js'

const head = 'specwright: 1\nservice: { name: notes, version: v1 }\n'
const note = 'note: { kind: entityType, key: [id], properties: { id: { type: String }, text: { type: String } } }\n'
const tag = 'tag: { kind: entityType, key: [id], properties: { id: { type: String } } }\n'
const rest =
  'container: { notes: { entitySet: note } }\npaths: { /notes: { get: { returns: collection } } }\nerrors: {}\n'

const indented = (text: string): string => text.replace(/^(?=.)/gm, '  ')

type Files = Readonly<Record<string, string>>

const load = (spec: string, included: Files = {}): LoadedSpec =>
  loadSpecText(spec, 'api/spec.yaml', {
    included: name => (Object.hasOwn(included, name) ? included[name] : undefined),
  })

const reported = ({ diagnostics }: LoadedSpec): readonly string[] =>
  diagnostics.length === 0 ? [] : formatDiagnostics(diagnostics, { format: 'plain' }).split('\n')

const folder = temporaryFolders()

/** A folder with files. */
function written(files: Files): string {
  const path = folder()
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true })
    writeFileSync(join(path, name), text)
  }
  return path
}

describe('a spec in several files', () => {
  const whole = load(`${head}resources:\n${indented(note + tag)}${rest}`).service

  it.each<readonly [string, string, Files]>([
    ['a chapter', `${head}resources: { $include: ./types.yaml }\n${rest}`, { 'types.yaml': note + tag }],
    [
      'a type',
      `${head}resources:\n  note: { $include: note.yaml }\n${indented(tag)}${rest}`,
      { 'note.yaml': note.slice('note: '.length) },
    ],
    ['members of a chapter', `${head}resources:\n${indented(note)}  $include: tag.yaml\n${rest}`, { 'tag.yaml': tag }],
    [
      'parts of several chapters',
      `${head}$include: [note.yaml, sub/tag.yaml]\n`,
      { 'note.yaml': `resources:\n${indented(note)}${rest}`, 'sub/tag.yaml': `resources:\n${indented(tag)}` },
    ],
    [
      'files that include others, relative to their own folder',
      `${head}$include: sub/all.yaml\n`,
      {
        'sub/all.yaml': `resources: { $include: types/all.yaml }\n$include: ../rest.yaml\n`,
        'sub/types/all.yaml': `${note}$include: tag.yaml\n`,
        'sub/types/tag.yaml': tag,
        'rest.yaml': rest,
      },
    ],
    [
      'JSON',
      `${head}resources: { $include: t.json }\n${rest}`,
      {
        't.json': JSON.stringify({
          note: { kind: 'entityType', key: ['id'], properties: { id: { type: 'String' }, text: { type: 'String' } } },
          tag: { kind: 'entityType', key: ['id'], properties: { id: { type: 'String' } } },
        }),
      },
    ],
  ])('is the same as one, with %s in other files, in memory and on disk', async (_, spec, files) => {
    const loaded = load(spec, files)
    expect(reported(loaded)).toEqual([])
    expect(loaded.service).toEqual(whole)
    const path = written({ ...files, 'spec.yaml': spec })
    expect((await loadSpec(join(path, 'spec.yaml'))).service).toEqual(whole)
  })

  it.each<readonly [string, string, Files, readonly string[]]>([
    [
      'an error of the spec',
      `${head}resources: { $include: ./types.yaml }\n${rest}`,
      { 'types.yaml': `${note.replace('text: { type: String', 'text: { type: Strng')}\n` },
      ['api/types.yaml:1:88 error spec/unknown-type: There is no type "Strng". Did you mean "String"?'],
    ],
    [
      'an unknown key, in a file that a file includes',
      `${head}$include: a.yaml\n`,
      {
        'a.yaml': `resources: { $include: b.yaml }\n${rest}`,
        'b.yaml': note.replace('key: [id]', 'key: [id], kee: 1'),
      },
      ['api/b.yaml:1:38 error shape/unknown-key: Unknown key "kee" in "note". Did you mean "key"?'],
    ],
    [
      'a missing chapter, in the spec',
      `${head}$include: a.yaml\n`,
      { 'a.yaml': `resources:\n${indented(note)}container: {}\npaths: {}\n` },
      [expect.stringMatching(/^api\/spec\.yaml:1:1 error shape\/missing-key/)],
    ],
    [
      'an error of YAML',
      `${head}resources: { $include: ./types.yaml }\n${rest}`,
      { 'types.yaml': 'note: { a: 1, a: 2 }\n' },
      expect.arrayContaining([
        'api/types.yaml:1:15 error yaml/duplicate-key: The key "a" is already there. Remove one of the two, or rename it.',
      ]),
    ],
    [
      'a file that is not YAML',
      `${head}resources: { $include: ./types.yaml }\n${rest}`,
      { 'types.yaml': 'note: {' },
      [expect.stringMatching(/^api\/types\.yaml:1:\d+ error yaml\//)],
    ],
    [
      'two members with one name',
      `${head}resources:\n${indented(note)}$include: a.yaml\n${rest}`,
      { 'a.yaml': `resources:\n${indented(note)}` },
      ['api/a.yaml:2:3 error include/duplicate: "note" is already there, in another file. Remove one of the two.'],
    ],
    [
      'a related place in another file',
      `${head}resources:\n${indented(note.replace('{ kind', '{ qualifiedName: a.b, kind'))}  $include: a.yaml\n${rest}`,
      { 'a.yaml': tag.replace('{ kind', '{ qualifiedName: a.b, kind') },
      [
        expect.stringMatching(/^api\/(?:a|spec)\.yaml:\d+:\d+ error spec\/duplicate-qualified-name/),
        expect.stringMatching(/^api\/(?:a|spec)\.yaml:\d+:\d+ note/),
      ],
    ],
  ])('reports %s where it is', (_, spec, files, lines) => {
    const loaded = load(spec, files)
    expect(reported(loaded)).toEqual(lines)
    expect(loaded.service).toBeUndefined()
  })

  it('shows the line of the right file', () => {
    const { diagnostics, source } = load(`${head}resources: { $include: types.yaml }\n${rest}`, {
      'types.yaml': `# a comment\n${note.replace('text: { type: String', 'text: { type: Strng')}`,
    })
    const shown = formatDiagnostics(diagnostics, { format: 'pretty', sources: [source] })
    expect(shown).toContain('--> api/types.yaml:2:88\n2 | … type: String }, text: { type: Strng }')
  })
})

describe('an include', () => {
  const including = (name: string): string => `${head}resources: { $include: ${JSON.stringify(name)} }\n${rest}`

  it.each([
    '../types.yaml',
    'sub/../../types.yaml',
    '/etc/types.yaml',
    'C:/types.yaml',
    'sub\\types.yaml',
    'https://example.com/types.yaml',
    '.env',
    'types',
    'notes.txt',
    '.git/config.yaml',
    '',
  ])('cannot name %j', name => {
    expect(reported(load(including(name)))).toEqual([
      `api/spec.yaml:3:24 error include/name: ${JSON.stringify(name)} cannot be included. Name a .yaml, .yml or .json file in the folder of the spec or below it, such as ./resources.yaml.`,
    ])
  })

  it('may go up, as long as it stays below the folder of the spec', () => {
    expect(includedName('a/b.yaml', '../c.yaml')).toBe('c.yaml')
    expect(includedName('a/b.yaml', '../../c.yaml')).toBeUndefined()
    expect(includedName('spec.yaml', './a/./c.yml')).toBe('a/c.yml')
  })

  it('does not follow a link to another folder', async () => {
    const path = written({ 'spec.yaml': including('types.yaml') })
    symlinkSync(join(written({ 'secret.yaml': note }), 'secret.yaml'), join(path, 'types.yaml'))
    const { diagnostics } = await loadSpec(join(path, 'spec.yaml'))
    expect(diagnostics.map(({ code }) => code)).toEqual(['file/outside'])
  })

  it('reports a file that is not there, is no mapping, or no name', async () => {
    expect(reported(load(including('gone.yaml')))).toEqual([
      'api/spec.yaml:3:24 error file/not-found: "gone.yaml" cannot be included. There is no such file.',
    ])
    expect(reported(load(including('text.yaml'), { 'text.yaml': 'secret' }))[0]).toContain(
      'is neither a mapping nor a list',
    )
    expect(reported(load(`${head}$include: 1\n`))[0]).toContain('Expected the name of a file, or a list of names.')
    expect(reported(load(`${head}$include: a.yaml\n`, { 'a.yaml': '[1]' }))[0]).toContain(
      'is a list, so it cannot be merged',
    )
    const missing = await loadSpec(join(written({ 'spec.yaml': including('gone.yaml') }), 'spec.yaml'))
    expect(missing.diagnostics.map(({ code }) => code)).toEqual(['file/not-found'])
    expect(missing.source.includedPaths?.map(path => path.replace(/.*\//, ''))).toEqual(['gone.yaml'])
  })

  it.each([
    ['a chapter', `${head}resources: { $includ: note.yaml }\n${rest}`, '3:14'],
    ['members of a chapter', `${head}resources:\n${indented(note)}  $inlcude: [tag.yaml]\n${rest}`, '5:3'],
    ['the spec', `${head}"$Include": all.yaml\n`, '3:1'],
  ])('whose key is misspelt is reported once, in %s', (_, spec, at) => {
    const files = { 'note.yaml': note, 'tag.yaml': tag, 'all.yaml': `resources:\n${indented(note)}${rest}` }
    const errors = reported(load(spec, files)).filter(line => line.includes(' error '))
    expect(errors).toEqual([
      expect.stringMatching(
        `^api/spec.yaml:${at} error include/key: Unknown key ".+"\\. Did you mean "\\$include"\\?$`,
      ),
    ])
  })

  it('cannot lead back to a file that it comes from', () => {
    const files = { 'a.yaml': '$include: sub/b.yaml\n', 'sub/b.yaml': 'x: { $include: ../a.yaml }\n' }
    expect(reported(load(`${head}$include: a.yaml\n`, files))).toEqual([
      'api/sub/b.yaml:1:16 error include/cycle: "../a.yaml" includes itself: a.yaml > sub/b.yaml > a.yaml. Remove one of these includes.',
    ])
    expect(reported(load(including('spec.yaml')))[0]).toContain('spec.yaml > spec.yaml')
  })

  it('has limits: the depth, the number of files, and their length', () => {
    const deep = Object.fromEntries(
      Array.from({ length: 20 }, (_, level) => [`l${level}.yaml`, `x: { $include: l${level + 1}.yaml }\n`]),
    )
    expect(reported(load(including('l0.yaml'), deep))).toEqual([
      `api/l${maxIncludeDepth - 1}.yaml:1:16 error include/too-deep: Included files include others more than ${maxIncludeDepth} levels deep, which is the limit.`,
    ])
    const many = (file: string): string =>
      Array.from({ length: 40 }, (_, index) => `k${index}: { $include: ${file} }\n`).join('')
    const bomb = { 'a.yaml': many('b.yaml'), 'b.yaml': many('c.yaml'), 'c.yaml': many('d.yaml'), 'd.yaml': 'x: 1\n' }
    const [first, ...others] = reported(load(including('a.yaml'), bomb))
    expect(first).toContain(`include/too-many: The spec includes more than ${maxIncludes} files`)
    expect(others).toEqual([])
    const long = {
      'a.yaml': `x: { $include: b.yaml }\ny: { $include: b.yaml }\n`,
      'b.yaml': `x: 1 # ${'x'.repeat(9_000_000)}`,
    }
    expect(reported(load(including('a.yaml'), long))[0]).toContain('the spec has more than 16 MB, which is the limit')
  })

  it('is text where it is no key', () => {
    const spec = readFileSync(new URL('../../starter.yaml', import.meta.url), 'utf8')
    expect(reported(load(spec.replace('To-do lists', 'What $include means')))).toEqual([])
  })
})
