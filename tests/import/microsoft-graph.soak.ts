import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { emitCsdlJson } from '../../generator/emit/csdl/emit-csdl-json.js'
import { emitCsdlXml } from '../../generator/emit/csdl/emit-csdl-xml.js'
import { importCsdl } from '../../generator/import/import-csdl.js'
import { generate } from '../../generator/index.js'
import { formatDiagnostics, loadSpecText, type SpecDocument } from '../../spec/language/index.js'
import { emptyProject } from '../vendoring/project.js'

// The largest public metadata document, too large for this repository. `npm run soak` runs this test.
const path = process.env['GRAPH_METADATA']

describe('the metadata of Microsoft Graph', () => {
  if (path === undefined) throw new Error('Name the gzipped metadata of Microsoft Graph v1.0 in GRAPH_METADATA.')
  const { spec, diagnostics } = importCsdl(gunzipSync(readFileSync(path)).toString('utf8'), 'metadata.xml')
  const text = spec?.text ?? ''

  it('become a spec with every type and operation, except for those reported', () => {
    const { resources = {}, operations = {}, container = {} } = spec?.document ?? {}
    expect(Object.keys(resources).length).toBeGreaterThan(3800)
    expect(Object.keys(operations).length).toBeGreaterThan(1100)
    expect(Object.keys(container)).toHaveLength(72)
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
    expect([...new Set(diagnostics.map(({ code }) => code))]).not.toContain('import/refused')
  })

  it('become a spec with a reasonable number of paths, without diagnostics', () => {
    const loaded = loadSpecText(text, 'graph.yaml')
    expect(formatDiagnostics(loaded.diagnostics, { format: 'plain' })).toBe('')
    expect(loaded.service?.paths.length).toBeLessThanOrEqual(3000)
    expect(loaded.service?.endpoints.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['users.list', 'users.messages.list', 'me.messages.create', 'users.delta', 'me.sendMail']),
    )
  })

  it('compile as types, client and server', async () => {
    const { files } = generate({ path: 'graph.yaml', text }, { only: ['types', 'client', 'server'] })
    const project = await emptyProject(files)
    try {
      expect(await project.compile('strictest')).toBe('')
    } finally {
      await project.remove()
    }
  })

  it.each([
    ['XML', emitCsdlXml],
    ['JSON', emitCsdlJson],
  ] as const)('exported as %s and imported again are the same spec from then on', (_, emit) => {
    const once = loadSpecText(text, 'graph.yaml').service
    const again = once === undefined ? undefined : importCsdl(emit(once), 'metadata')
    expect(formatDiagnostics(again?.diagnostics ?? [], { format: 'plain' })).toBe('')
    const names = (document: SpecDocument | undefined): readonly string[] =>
      Object.keys(document?.resources ?? {}).sort()
    expect(names(again?.spec?.document)).toEqual(names(spec?.document))
    const twice = loadSpecText(again?.spec?.text ?? '', 'graph.yaml').service
    expect(twice === undefined ? '' : emit(twice)).toBe(once === undefined ? 'no service' : emit(once))
  })
})
