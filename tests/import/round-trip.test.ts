import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { emitCsdlJson } from '../../generator/emit/csdl/emit-csdl-json.js'
import { emitCsdlXml } from '../../generator/emit/csdl/emit-csdl-xml.js'
import { importCsdl } from '../../generator/import/import-csdl.js'
import { sampleSpec } from '../../generator/testing/sample-spec.js'
import { formatDiagnostics, loadSpecText, type Service } from '../../spec/language/index.js'
import { root } from '../root.js'
import { normalizedModel } from './normalized-model.js'

const forms = { xml: emitCsdlXml, json: emitCsdlJson }
type Form = keyof typeof forms

function serviceOf(text: string): Service {
  const { service, diagnostics } = loadSpecText(text, 'spec.yaml')
  if (service === undefined) throw new Error(formatDiagnostics(diagnostics, { format: 'plain' }))
  return service
}

function reimported(service: Service, form: Form) {
  const { spec, diagnostics } = importCsdl(forms[form](service), `metadata.${form}`)
  if (spec === undefined) throw new Error(formatDiagnostics(diagnostics, { format: 'plain' }))
  return { text: spec.text, diagnostics }
}

const specs: readonly (readonly [name: string, text: string])[] = [
  ...['directory', 'library', 'starter'].map(
    name => [name, readFileSync(join(root, 'spec', `${name}.yaml`), 'utf8')] as const,
  ),
  ['a bit of everything', JSON.stringify(sampleSpec('A "text" with <markup> & {braces}: #1, é, 😀.'))],
]

const cases = specs.flatMap(([name, text]) => (['xml', 'json'] as const).map(form => [name, form, text] as const))

describe('an exported spec', () => {
  it.each(cases)('is imported as the same model: %s in %s', (_, form, text) => {
    const service = serviceOf(text)
    const { text: again, diagnostics } = reimported(service, form)
    expect(formatDiagnostics(diagnostics, { format: 'plain' })).toBe('')
    expect(normalizedModel(serviceOf(again))).toEqual(normalizedModel(service))
  })

  it.each(cases)('is the same document when exported again: %s in %s', (_, form, text) => {
    const service = serviceOf(text)
    const exported = forms[form](service)
    expect(forms[form](serviceOf(reimported(service, form).text))).toBe(exported)
  })
})
