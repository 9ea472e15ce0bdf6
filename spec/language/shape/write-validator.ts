import { writeFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import standaloneCode from 'ajv/dist/standalone/index.js'
import { languageSchema } from './schema.js'
import { writtenValidator } from './validate-document.js'

/**
 * The JSON Schema of the language as a CommonJS module that tells whether a document fits it, and nothing more: so a sound
 * spec is read without loading ajv.
 */
export function validatorCode(): string {
  const ajv = new Ajv2020({
    messages: false,
    strict: false,
    validateSchema: false,
    meta: false,
    inlineRefs: false,
    code: { source: true },
  })
  return standaloneCode.default(ajv, ajv.compile(withoutDescriptions(languageSchema())))
}

/** Writes the validator beside this module; part of the package's build. */
export function writeValidator(): void {
  writeFileSync(writtenValidator, validatorCode())
}

/** Validation does not need them, and they would be half of the module. */
function withoutDescriptions(part: object): object {
  return Object.fromEntries(
    Object.entries(part).flatMap(([key, value]) => {
      if (key === 'description' && typeof value === 'string') return []
      if (Array.isArray(value)) return [[key, value.map(item => (isObject(item) ? withoutDescriptions(item) : item))]]
      return [[key, isObject(value) ? withoutDescriptions(value) : value]]
    }),
  )
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
