import { loadSpecText, type Service } from '../../spec/language/index.js'
import { generate } from '../generate.js'

/** The text of one generated file of the spec; throws if the spec has errors. */
export function emitted(
  file: 'types.ts' | 'client.ts' | 'literal-formats.ts' | 'server.ts' | 'service-table.ts' | `handlers/${string}.ts`,
  spec: string,
): string {
  const { files, diagnostics } = generate({ path: 'test.yaml', text: spec }, { runtime: '#runtime' })
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'))
  const found = files.find(({ path }) => path === file)
  if (found === undefined) throw new Error(`${file} was not generated`)
  return found.text
}

/** The declaration that begins with a text, up to the next empty line; throws if there is none. */
export function declaration(text: string, start: string): string {
  const at = text.indexOf(start)
  if (at < 0) throw new Error(`nothing begins with ${start}`)
  return text.slice(at).split('\n\n', 1).join('').trimEnd()
}

/** The service that a spec describes, for tests; throws if the spec has diagnostics. */
export async function loadService(text: string): Promise<Service> {
  const { service, diagnostics } = await loadSpecText(text, 'test.yaml')
  if (service === undefined) throw new Error(diagnostics.map(({ code, message }) => `${code}: ${message}`).join('\n'))
  return service
}
