import { formatDiagnostics, loadSpec, type Service } from '../../spec/language/index.js'
import { OptionsError } from '../options-error.js'

/** The service that is described. @throws {OptionsError} when the spec has errors, with all of them */
export async function serviceOf(spec: Service | string): Promise<Service> {
  if (typeof spec !== 'string') return spec
  const { service, diagnostics, source } = await loadSpec(spec)
  if (service !== undefined) return service
  const text = formatDiagnostics(diagnostics, { format: 'plain', sources: [source] })
  throw new OptionsError(`The spec has errors, so there is nothing to judge by.\n${text}`)
}
