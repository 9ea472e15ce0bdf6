import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { run } from '../run.js'
import { runCommand, testTerminal } from '../testing/run-command.js'
import { temporaryFolders } from '../testing/temporary-folder.js'

const folder = temporaryFolders()

const metadata =
  '<edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>' +
  '<Schema Namespace="Shop.Model" xmlns="http://docs.oasis-open.org/odata/ns/edm">' +
  '<EntityType Name="Item"><Annotation Term="Core.IsURL"/><Key><PropertyRef Name="Id"/></Key>' +
  '<Property Name="Id" Type="Edm.Int32" Nullable="false"/></EntityType>' +
  '<EntityContainer Name="c"><EntitySet Name="Items" EntityType="Shop.Model.Item"/></EntityContainer>' +
  '</Schema></edmx:DataServices></edmx:Edmx>'

const note =
  'note: Keys are written as /Set({key}), which every service understands. --key-as-segment writes them as /Set/{key}.'

const note1 = 'm.xml:1:202 warning import/annotation: A spec cannot say Core.IsURL.'

function folderWith(text: string): string {
  const path = folder()
  writeFileSync(join(path, 'm.xml'), text)
  return path
}

describe('specwright import', () => {
  it('prints the spec on standard output, and what is left out on standard error', async () => {
    const { code, out, err } = await runCommand(folderWith(metadata), 'import', 'm.xml')
    expect(code).toBe(0)
    expect(out).toMatch(/^specwright: 1\n\nservice:\n {2}name: shop\n {2}namespace: Shop\.Model\n/)
    expect(err).toBe(`${note1}\n${note}`)
  })

  it('writes the spec to a file, which validates and generates', async () => {
    const cwd = folderWith(metadata)
    const { code, out, err } = await runCommand(cwd, 'import', 'm.xml', '--out', 'shop.yaml', '--name', 'shop')
    expect([code, out]).toEqual([0, 'shop.yaml: 1 type, 0 operations, 3 paths (0 ms)'])
    expect(err).toBe(`${note1}\n1 kind of things that the spec cannot express, listed above.\n${note}`)
    expect((await runCommand(cwd, 'validate', 'shop.yaml')).code).toBe(0)
    expect((await runCommand(cwd, 'generate', 'shop.yaml', '--out', 'src', '--only', 'client')).code).toBe(0)
    expect(existsSync(join(cwd, 'src', 'client.ts'))).toBe(true)
  })

  it('overwrites an existing spec only with --force', async () => {
    const cwd = folderWith(metadata)
    writeFileSync(join(cwd, 'shop.yaml'), 'mine')
    const refused = await runCommand(cwd, 'import', 'm.xml', '--out', 'shop.yaml')
    expect(refused.code).toBe(2)
    expect(refused.err).toContain(
      'error: shop.yaml already exists and was not changed. Name another file, or add --force.',
    )
    expect(readFileSync(join(cwd, 'shop.yaml'), 'utf8')).toBe('mine')
    expect((await runCommand(cwd, 'import', 'm.xml', '--out', 'shop.yaml', '--force')).code).toBe(0)
    expect(readFileSync(join(cwd, 'shop.yaml'), 'utf8')).toMatch(/^specwright: 1\n/)
  })

  it('renames types, operations and sets in code, and reports names that nothing has', async () => {
    const more =
      '<Action Name="Recount"/><EntityContainer Name="c"><ActionImport Name="recount_all" Action="Shop.Model.Recount"/>'
    const cwd = folderWith(metadata.replace('<EntityContainer Name="c">', more))
    const names = ['Shop.Model.Item=Product', 'Items=products', 'Recount=Count', 'recount_all=count', 'Nobody=Nothing']
    const options = names.flatMap(name => ['--rename', name])
    const { code, out, err } = await runCommand(cwd, 'import', 'm.xml', ...options)
    expect(code).toBe(0)
    expect(out).toContain('Product:\n    kind: entityType\n    qualifiedName: Shop.Model.Item\n')
    expect(out).toContain('  Items: { entitySet: Product }\n')
    expect(out).toContain('  /Items:\n    get: { returns: collection, query: collection, name: products.list }\n')
    expect(out).toContain('  /recount_all: { resource: Recount, post: { calls: Count, name: count } }\n')
    expect(out).toContain('  Count: { kind: action, qualifiedName: Shop.Model.Recount }\n')
    expect(err).toContain(
      'warning import/rename: There is nothing to rename: no type, operation, entity set, singleton or import has this name: Nobody.\n',
    )
    const wrong = await runCommand(cwd, 'import', 'm.xml', '--rename', 'Items')
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('sales.sales_order=Order')])
  })

  it('writes keys in the chosen style, or prints a note about the default', async () => {
    const keys = async (text: string, ...args: readonly string[]): Promise<readonly (string | undefined)[]> => {
      const { out, err } = await runCommand(folderWith(text), 'import', 'm.xml', ...args)
      return [/^ {2}(\/Items.*Id\}\)?):/m.exec(out)?.[1], /^note: .*$/m.exec(err)?.[0]]
    }
    const annotated = metadata.replace(
      '</EntityContainer>',
      '<Annotation Term="Org.OData.Capabilities.V1.KeyAsSegmentSupported"/></EntityContainer>',
    )
    expect(await keys(metadata)).toEqual(['/Items({Id})', note])
    expect(await keys(metadata, '--key-as-segment')).toEqual(['/Items/{Id}', undefined])
    expect(await keys(annotated)).toEqual([
      '/Items/{Id}',
      'note: Keys are written as /Set/{key}, because the metadata says KeyAsSegmentSupported. --no-key-as-segment writes them as /Set({key}).',
    ])
    expect(await keys(annotated, '--no-key-as-segment')).toEqual(['/Items({Id})', undefined])
    const cwd = folderWith(annotated)
    const { out, err } = await runCommand(cwd, 'import', 'm.xml', '--out', 'shop.yaml', '--json')
    expect([JSON.parse(out), err]).toMatchObject([{ keyStyle: 'segment' }, ''])
  })

  it('reads standard input', async () => {
    for (const name of ['-', '/dev/stdin']) {
      const { terminal, out, err } = testTerminal(folder(), metadata)
      expect(await run(['import', name], terminal, '1.2.3')).toBe(0)
      expect(out.join('\n')).toContain('namespace: Shop.Model')
      expect(err[0]).toBe(note1.replace('m.xml', '<stdin>'))
    }
    const { terminal, err } = testTerminal(folder())
    expect(await run(['import', '-'], terminal, '1.2.3')).toBe(1)
    expect(err.join('\n')).toContain('<stdin>:1:1 error import/not-metadata: This is neither XML nor JSON.')
  })

  it('reads a pipe from another command', async () => {
    const cwd = folder()
    const path = join(cwd, 'pipe')
    execFileSync('mkfifo', [path])
    const [{ code, out, err }] = await Promise.all([runCommand(cwd, 'import', 'pipe'), writeFile(path, metadata)])
    expect([code, out.includes('namespace: Shop.Model')]).toEqual([0, true])
    expect(err.split('\n')[0]).toBe(note1.replace('m.xml', 'pipe'))
  })

  it('counts types as validate does', async () => {
    const definition = '<TypeDefinition Name="Sku" UnderlyingType="Edm.String"/><EntityContainer'
    const cwd = folderWith(metadata.replace('<EntityContainer', definition))
    expect((await runCommand(cwd, 'import', 'm.xml', '--out', 'shop.yaml')).out).toContain('shop.yaml: 1 type, ')
    expect((await runCommand(cwd, 'validate', 'shop.yaml')).out).toContain(', 1 type)')
  })

  it('derives paths up to the given depth', async () => {
    const { code, out } = await runCommand(folderWith(metadata), 'import', 'm.xml', '--depth', '0')
    expect([code, out.includes('/Items({Id}):')]).toEqual([0, true])
  })

  it.each([
    [['import', 'm.xml', '--depth', 'x'], "option '--depth <number>' argument 'x' is invalid. A number from 0 to 9."],
    [['import', 'm.xml', '--name', 'a b'], 'A letter, then letters, digits, _ and -.'],
    [['import', 'm.xml', '--out', ''], '--out is empty. Name the file for the spec.'],
    [
      ['import', 'm.xml', '--out', 'no/such/folder.yaml'],
      'The folder of no/such/folder.yaml does not exist. Create it first.',
    ],
    [['import'], "missing required argument 'metadata'"],
  ])('%j is a usage error', async (args, message) => {
    const { code, err } = await runCommand(folderWith(metadata), ...args)
    expect(code).toBe(2)
    expect(err).toContain(message)
  })

  it('exits with 1 and writes nothing if the input is not metadata', async () => {
    const cwd = folderWith('<html/>')
    const { code, out, err } = await runCommand(cwd, 'import', 'm.xml', '--out', 'shop.yaml', '--format', 'json')
    expect([code, out]).toEqual([1, ''])
    expect(JSON.parse(err)).toMatchObject([{ code: 'import/not-metadata', severity: 'error' }])
    expect(existsSync(join(cwd, 'shop.yaml'))).toBe(false)
  })

  it('names an OpenAPI document', async () => {
    const { code, err } = await runCommand(folderWith('{ "openapi": "3.1.0" }'), 'import', 'm.xml')
    expect([code, err]).toEqual([1, expect.stringContaining('The document is an OpenAPI document, so it is not CSDL')])
  })

  it('reads no URLs', async () => {
    const { code, err } = await runCommand(folder(), 'import', 'https://shop.test/$metadata')
    expect([code, err]).toEqual([
      1,
      'https://shop.test/$metadata:1:1 error file/is-url: Specwright does not read URLs. Save the document in a file.',
    ])
  })

  it('reports a missing file', async () => {
    const { code, err } = await runCommand(folder(), 'import', 'no.xml')
    expect([code, err]).toEqual([
      1,
      'no.xml:1:1 error file/not-found: There is no such file. Save the response of the service to $metadata there.',
    ])
  })
})
