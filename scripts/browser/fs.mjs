// What the package reads of its own files. A browser has no others.

import schema from '../../spec/specwright.schema.json'

const own = [
  ['/package.json', () => '{}'],
  ['/spec/specwright.schema.json', () => JSON.stringify(schema)],
]

const find = path => own.find(([end]) => String(path).endsWith(end))

/** The validator of specs exists for `require` only. */
export const existsSync = path =>
  path === '.' || find(path) !== undefined || String(path).endsWith('/is-spec-document.cjs')

export function readFileSync(path) {
  const found = find(path)
  if (found === undefined)
    throw Object.assign(new Error(`There are no files in a browser: ${path}`), { code: 'ENOENT' })
  return found[1]()
}
