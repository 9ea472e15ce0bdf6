// The CommonJS modules that the package loads when it needs them.

import * as ajv from 'ajv/dist/2020.js'
import * as yaml from 'yaml'
import isSpecDocument from '../chunks/is-spec-document.cjs'
import templates from '../templates.cjs'

const modules = [
  ['/dist/templates.cjs', templates],
  ['/is-spec-document.cjs', isSpecDocument],
  ['ajv/dist/2020.js', ajv],
  ['yaml', yaml],
]

export const createRequire = () => id => {
  const found = modules.find(([end]) => id.endsWith(end))
  if (found !== undefined) return found[1]
  throw Object.assign(new Error(`The module ${id} is not available in a browser.`), { code: 'MODULE_NOT_FOUND' })
}

export const isBuiltin = () => false
