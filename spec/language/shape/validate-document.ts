import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import type { SpecDocument } from '../document.js'
import { languageSchema } from './schema.js'

let compiled: ValidateFunction<SpecDocument> | undefined

/** Compiled at first use, once a process. Leaving out ajv's optimiser halves the time that takes. */
function validator(): ValidateFunction<SpecDocument> {
  compiled ??= new Ajv2020({
    allErrors: true,
    // Errors carry the part of the schema that they break.
    verbose: true,
    strict: false,
    validateSchema: false,
    meta: false,
    code: { optimize: false },
  }).compile<SpecDocument>(languageSchema())
  return compiled
}

/** Whether the data fits the JSON Schema of the language. */
export function isSpecDocument(data: unknown): data is SpecDocument {
  return validator()(data)
}

/** Where the data does not fit the JSON Schema of the language. */
export function schemaErrors(data: unknown): readonly ErrorObject[] {
  const validate = validator()
  return validate(data) ? [] : (validate.errors ?? [])
}
