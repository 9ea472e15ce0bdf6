import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** The full parser, loaded when it is first needed: a sound spec in plain style never needs it. */
export function yamlLibrary(): typeof import('yaml') {
  return require('yaml')
}
