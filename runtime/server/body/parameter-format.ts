import { primitiveReader } from '../value/primitive-readers.js'
import { unfit } from '../value/unfit.js'

const formatTypes = { dateTimeOffset: 'Edm.DateTimeOffset', date: 'Edm.Date', guid: 'Edm.Guid' } as const

/** What a string parameter's text must be; undefined when it is, or when it is no string at all. */
export function parameterFormatProblem(value: unknown, format: keyof typeof formatTypes): string | undefined {
  if (typeof value !== 'string') return undefined
  const reader = primitiveReader(formatTypes[format])
  return reader === undefined || reader.read(value) !== unfit ? undefined : `must be ${reader.expected}`
}
