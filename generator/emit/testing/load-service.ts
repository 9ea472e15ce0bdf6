import { loadSpecText, type Service } from '../../../spec/language/index.js'

/** The service that a spec describes, for tests; throws when the spec is not clean. */
export async function loadService(text: string): Promise<Service> {
  const { service, diagnostics } = await loadSpecText(text, 'test.yaml')
  if (service === undefined) throw new Error(diagnostics.map(({ code, message }) => `${code}: ${message}`).join('\n'))
  return service
}
