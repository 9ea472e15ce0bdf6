import type { Json } from '../evaluate/conversion.js'
import { evaluate } from '../evaluate/evaluate.js'
import type { EvaluationOptions } from '../evaluate/path.js'
import { parseFilter } from '../expressions.js'
import type { StructuredTypeInfo, TypeTable } from '../type-table.js'

/** The value of an expression, given as text, for a row. */
export function evaluateText(text: string, row: unknown = {}, options: EvaluationOptions = {}): Json {
  return evaluate(parseFilter(text), row, options)
}

const personProperties: StructuredTypeInfo['properties'] = {
  id: { type: 'Edm.String' },
  name: { type: 'Edm.String', nullable: true },
  born: { type: 'Edm.Date', nullable: true },
  seen: { type: 'Edm.DateTimeOffset', nullable: true },
  rises: { type: 'Edm.TimeOfDay', nullable: true },
  worked: { type: 'Edm.Duration', nullable: true },
  salary: { type: 'Edm.Decimal', nullable: true },
  points: { type: 'Edm.Int64', nullable: true },
  score: { type: 'Edm.Double', nullable: true },
  sku: { type: 'Edm.Guid', nullable: true },
  rights: { type: 'rights', nullable: true },
  mood: { type: 'mood', nullable: true },
  mail: { type: 'mailAddress', nullable: true },
  address: { type: 'address', nullable: true },
  tags: { type: 'Edm.String', collection: true },
  secret: { type: 'Edm.String', nullable: true, onSelect: true },
}

const personNavigation: StructuredTypeInfo['navigation'] = {
  manager: { type: 'person', nullable: true },
  reports: { type: 'person', collection: true },
}

/** A small type table with every kind of type, for tests. */
export const personTypes: TypeTable = {
  person: {
    kind: 'entityType',
    key: ['id'],
    properties: personProperties,
    navigation: personNavigation,
  },
  boss: {
    kind: 'entityType',
    key: ['id'],
    base: 'person',
    properties: { ...personProperties, bonus: { type: 'Edm.Decimal', nullable: true } },
    navigation: personNavigation,
  },
  address: {
    kind: 'complexType',
    key: [],
    properties: { city: { type: 'Edm.String', nullable: true } },
    navigation: {},
    open: true,
  },
  rights: { kind: 'enumType', members: { none: 0, read: 1, write: 2, all: 3 }, flags: true },
  mood: { kind: 'enumType', members: { low: 0, high: 10 } },
  mailAddress: { kind: 'typeDefinition', type: 'Edm.String' },
}
