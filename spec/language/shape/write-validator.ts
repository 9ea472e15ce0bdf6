import { Ajv2020 } from 'ajv/dist/2020.js'
import standaloneCode from 'ajv/dist/standalone/index.js'
import { languageSchema } from './schema.js'

/**
 * The JSON Schema of the language as a CommonJS module that only decides whether a document is valid: so a valid
 * spec is read without loading ajv.
 */
export function validatorCode(): string {
  const ajv = new Ajv2020({
    messages: false,
    strict: false,
    validateSchema: false,
    meta: false,
    inlineRefs: false,
    code: { source: true, regExp: asciiFirst },
  })
  const code = standaloneCode.default(ajv, ajv.compile(withoutDescriptions(languageSchema())))
  return asciiFirstCode + code.replaceAll(error, '0').replaceAll(place, '')
}

/** Only their number matters, and they would be a quarter of the module. */
const error = /\{instancePath[^{}]*params:\s*\{[^{}]*\}\}/g
const place = /,\s*\{instancePath[^{}]*dynamicAnchors\}(?=\))/g

/** How the written validator creates a regular expression. */
const asciiFirst = Object.assign((pattern: string, flags: string) => new RegExp(pattern, flags), { code: 'asciiFirst' })

/** Classes of Unicode take milliseconds to compile, which a name in ASCII need not spend. */
const asciiFirstCode = `
function asciiFirst(pattern, flags) {
  if (!pattern.includes('\\\\p{')) return new RegExp(pattern, flags)
  const classes = { L: 'A-Za-z', Nd: '0-9', Pc: '_' }
  const ascii = new RegExp(pattern.replace(/\\\\p\\{(\\w+)\\}/g, (_, name) => classes[name] ?? ''), flags)
  let full
  return { test: text => (/^[ -~]*$/.test(text) ? ascii : (full ??= new RegExp(pattern, flags))).test(text) }
}
`

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
