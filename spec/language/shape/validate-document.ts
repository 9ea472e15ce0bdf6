import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js'
import type { SpecDocument } from '../document/index.js'
import { languageSchema } from './schema.js'

const require = createRequire(import.meta.url)

let compiled: ValidateFunction<SpecDocument> | undefined

/** Compiled at first need: loading ajv and compiling takes longer than all the rest of reading a small spec. */
function validator(): ValidateFunction<SpecDocument> {
  if (compiled === undefined) {
    const { Ajv2020 }: typeof import('ajv/dist/2020.js') = require('ajv/dist/2020.js')
    const ajv = new Ajv2020({
      allErrors: true,
      // Errors carry the part of the schema that they break.
      verbose: true,
      strict: false,
      validateSchema: false,
      meta: false,
      // Its optimiser takes as long as the compiler, and gains nothing that a spec is long enough to show.
      code: { optimize: false },
    })
    compiled = ajv.compile<SpecDocument>(languageSchema())
  }
  return compiled
}

/** The yes-or-no validator that the build writes beside the compiled module; there is none beside the source. */
export const writtenValidator = fileURLToPath(new URL('is-spec-document.cjs', import.meta.url))

let written: unknown

/** Whether the data fits the JSON Schema of the language. */
export function isSpecDocument(data: unknown): data is SpecDocument {
  written ??= existsSync(writtenValidator) ? require(writtenValidator) : validator()
  if (typeof written !== 'function') throw new Error('The built validator is damaged: build the package again.')
  return written(data) === true
}

/** Where the data does not fit the JSON Schema of the language. */
export function schemaErrors(data: unknown): readonly ErrorObject[] {
  const validate = validator()
  return validate(data) ? [] : (validate.errors ?? [])
}
