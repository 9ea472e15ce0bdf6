import { readFileSync } from 'node:fs'
import { mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseDocument, stringify } from 'yaml'
import { formatDiagnostics } from './diagnostics/format-diagnostics.js'
import { type LoadedSpec, loadSpec, loadSpecText } from './load.js'
import { shop } from './testing/valid-spec.js'

const specs = join(dirname(fileURLToPath(import.meta.url)), '..')
const reported = ({ diagnostics }: LoadedSpec): readonly string[] =>
  formatDiagnostics(diagnostics, { format: 'plain' })
    .split('\n')
    .filter(line => line !== '')

describe('a file that cannot be read is a diagnostic:', () => {
  let folder = ''
  const file = (name: string): string => join(folder, name)
  const load = async (name: string): Promise<readonly string[]> =>
    reported(await loadSpec(file(name))).map(line => line.replaceAll(`${folder}/`, ''))

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'specwright-load-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  it('a missing file', async () => {
    expect(await load('none.yaml')).toEqual(['none.yaml:1:1 error file/not-found: There is no such file.'])
    expect(await load('none/spec.yaml')).toEqual(['none/spec.yaml:1:1 error file/not-found: There is no such file.'])
  })

  it('a URL', async () => {
    expect(reported(await loadSpec('https://shop.test/spec.yaml'))).toEqual([
      'https://shop.test/spec.yaml:1:1 error file/is-url: Specwright does not read URLs. Save the document in a file.',
    ])
  })

  it.each([1, 1000])('the text of a spec in place of its path (%i times)', async times => {
    expect(reported(await loadSpec(shop({ rest: '' }).repeat(times)))).toEqual([
      '<text>:1:1 error file/is-text: This is the text of a spec, not the path of its file.',
    ])
  })

  it('the path of a spec in place of its text', () => {
    expect(reported(loadSpecText('shop.yaml', 'shop.yaml'))).toEqual([
      'shop.yaml:1:1 error shape/type: A spec is a mapping that begins with `specwright: 1`. This text is the path of a file: `loadSpec(path)` reads files.',
    ])
  })

  it('a folder', async () => {
    expect(reported(await loadSpec(folder))[0]).toMatch(
      /error file\/is-a-folder: This is a folder. Name a file in it\.$/,
    )
  })

  it('a device', async () => {
    expect(reported(await loadSpec('/dev/null'))).toEqual([
      '/dev/null:1:1 error file/not-a-file: This is not a regular file.',
    ])
  })

  it('a cyclic link', async () => {
    await symlink(file('circle.yaml'), file('circle.yaml'))
    expect(await load('circle.yaml')).toEqual([
      'circle.yaml:1:1 error file/unreadable: The file cannot be read (ELOOP).',
    ])
  })

  it.each(['valueOf', 'toString'])('two equal objects in a key with a member %s', async name => {
    const item = `{ ${name}: 1 }`
    await writeFile(file('spec.yaml'), shop({ rest: '' }).replace(/key: (?:\[[^\]]*\]|\w+)/, `key: [${item}, ${item}]`))
    expect(await load('spec.yaml')).toContainEqual(expect.stringMatching(/ error shape\/type: /))
  })

  it('a file of fifty megabytes', async () => {
    await writeFile(file('long.yaml'), '')
    await truncate(file('long.yaml'), 50 * 1024 * 1024)
    expect(await load('long.yaml')).toEqual([
      'long.yaml:1:1 error file/too-long: The file has 50.0 MB. The limit is 16.0 MB.',
    ])
  })

  it('a file that is not UTF-8', async () => {
    await writeFile(file('latin1.yaml'), Buffer.from('service: caf\xE9', 'latin1'))
    expect(await load('latin1.yaml')).toEqual([
      'latin1.yaml:1:1 error file/not-utf-8: The file is not UTF-8. Save it in that encoding.',
    ])
  })

  it('an empty file', async () => {
    await writeFile(file('empty.yaml'), '')
    expect(await load('empty.yaml')).toEqual([
      'empty.yaml:1:1 error yaml/empty: The file is empty. A spec begins with `specwright: 1`.',
    ])
  })

  it('a missing interface is a warning, and one beside the spec is read', async () => {
    const service = 'service: { name: shop, version: v1, interface: interface.md }'
    const rest =
      'clauses: { a: { ref: "1", quote: "Every   product has a name.", aspects: [item.read] }, b: { ref: "1", quote: Others do., aspects: [item.read] } }'
    await writeFile(file('spec.yaml'), shop({ service, rest }))
    expect(await load('spec.yaml')).toEqual([
      'spec.yaml:2:48 warning spec/interface-unreadable: The interface "interface.md" cannot be read, so quotes are not checked. There is no such file.',
    ])
    await writeFile(file('interface.md'), 'Every product\nhas a name.')
    expect(await load('spec.yaml')).toEqual([
      expect.stringMatching(
        / error spec\/clause-quote: The quote of "b" is not in the interface\. Copy the sentence word for word\.$/,
      ),
    ])
  })

  it.each([
    ['a path that leads out', '../interface.md', 'file'],
    ['a path that leads out of a folder below', 'below/../../interface.md', 'file'],
    ['an absolute path', '/etc/passwd', 'file'],
    ['a link that leads out', 'link.md', 'link'],
    ['a device', '/dev/zero', 'file'],
  ])('an interface outside the spec’s folder is not read: %s', async (_, name, kind) => {
    const inner = await mkdtemp(file('inner-'))
    await writeFile(file('interface.md'), 'Nothing.')
    if (kind === 'link') await symlink(file('interface.md'), join(inner, name))
    const service = `service: { name: shop, version: v1, interface: ${name} }`
    const rest = 'clauses: { a: { ref: "1", quote: "Every product has a name.", aspects: [item.read] } }'
    await writeFile(join(inner, 'spec.yaml'), shop({ service, rest }))
    expect(reported(await loadSpec(join(inner, 'spec.yaml')))).toEqual([
      expect.stringMatching(
        / warning spec\/interface-unreadable: .* It is not in the folder of the spec. Copy it there, /,
      ),
    ])
  })
})

describe('clauses', () => {
  it('name known aspects', async () => {
    const rest = 'clauses: { a: { ref: "1", quote: A., aspects: [filter.logicl] } }'
    expect(reported(await loadSpecText(shop({ rest }), 'spec.yaml'))).toEqual([
      expect.stringMatching(/ error .*filter\.logical/),
    ])
  })
})

describe('any change to a valid spec', () => {
  const texts = ['library.yaml', 'starter.yaml'].map(name => readFileSync(join(specs, name), 'utf8'))
  const trees: readonly unknown[] = [...texts, shop()].map(text => parseDocument(text).toJS())

  /** Every place of a tree, as the keys that lead there. */
  function places(tree: unknown, keys: readonly string[] = []): readonly (readonly string[])[] {
    if (typeof tree !== 'object' || tree === null) return [keys]
    return [keys, ...Object.entries(tree).flatMap(([key, value]) => places(value, [...keys, key]))]
  }

  /** What becomes of a member: other members, or none. */
  type Change = (key: string, value: unknown) => readonly (readonly [key: string, value: unknown])[]

  function changeAt(tree: unknown, [key, ...rest]: readonly string[], change: Change): unknown {
    if (typeof tree !== 'object' || tree === null) return tree
    const entries = Object.entries(tree).flatMap(([each, value]) => {
      if (each !== key) return [[each, value] as const]
      return rest.length === 0 ? change(each, value) : [[each, changeAt(value, rest, change)] as const]
    })
    return Array.isArray(tree) ? entries.map(([, value]) => value) : Object.fromEntries(entries)
  }

  const values = fc.oneof(
    fc.constantFrom<unknown>(
      null,
      true,
      false,
      0,
      -1,
      1.5,
      1e300,
      '',
      'item',
      'user',
      'id',
      'String',
      '__proto__',
      'constructor',
      [],
      {},
      [null],
      ['id', 'id'],
      { kind: 'entityType' },
      'name eq',
      '/x/{y}',
      '((',
      'a.b',
    ),
    fc.string(),
    fc.jsonValue(),
  )
  const changes = fc.oneof(
    fc.constant<Change>(() => []),
    values.map(
      (value): Change =>
        key => [[key, value]],
    ),
    values.map(
      (name): Change =>
        (_, value) => [[typeof name === 'string' ? name : JSON.stringify(name), value]],
    ),
  )
  const mutants = fc
    .record({ tree: fc.constantFrom(...trees), place: fc.nat(), change: changes })
    .map(({ tree, place, change }) => {
      const all = places(tree).slice(1)
      return changeAt(tree, all[place % all.length] ?? [], change)
    })

  it('results in diagnostics or a model, and throws nothing', async () => {
    await fc.assert(
      fc.asyncProperty(mutants, async mutant => {
        const text = stringify(mutant)
        const { service, diagnostics, source } = await loadSpecText(text, 'spec.yaml')
        const isWrong = diagnostics.some(({ severity }) => severity === 'error')
        expect(service === undefined).toBe(isWrong)
        for (const { location } of diagnostics) {
          expect(location.offset + location.length).toBeLessThanOrEqual(source.text.length)
          expect(location.line).toBeGreaterThan(0)
        }
        expect(formatDiagnostics(diagnostics, { format: 'pretty', sources: [source] }) === '').toBe(
          diagnostics.length === 0,
        )
      }),
      { numRuns: 100 },
    )
  })

  it('results in diagnostics or a model, even if the text is truncated or corrupted', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.nat(20), fc.string({ unit: 'binary', maxLength: 5 }), async (at, length, by) => {
        const text = shop()
        const start = at % text.length
        const garbled = text.slice(0, start) + by + text.slice(start + length)
        const { service, diagnostics } = await loadSpecText(garbled, 'spec.yaml')
        expect(service === undefined).toBe(diagnostics.some(({ severity }) => severity === 'error'))
      }),
      { numRuns: 200 },
    )
  })
})
