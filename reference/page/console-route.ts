import type { Endpoint } from '../../spec/language/index.js'

/**
 * What the console calls an endpoint in the fragment of its address, `#?route=get-/users/-id-`: the name that OpenAPI
 * Explorer makes for an operation.
 */
export function consoleRoute({ method, path }: Endpoint): string {
  return `${method.toLowerCase()}-${path.template.replaceAll(/[\s#:?&={}-]+/g, '-')}`
}
