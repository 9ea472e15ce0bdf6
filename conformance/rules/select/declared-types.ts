import type { Property } from '../../../spec/language/index.js'
import { permittedValues } from '../../choices/choices.js'
import { permitsNull } from '../../choices/scope.js'
import { keyOf } from '../../discover/site.js'
import type { TestRequest, TestResponse } from '../../http/message.js'
import { isRow, type Row } from '../../json.js'
import { selectedNames } from '../../lists/properties.js'
import { rowsIn } from '../../lists/read-rows.js'
import { expandedMismatches, isAssumed, type TypeMismatch, typeMismatches } from '../../lists/type-mismatch.js'
import type { PassiveRule } from '../../rule/rule.js'
import type { Finding } from '../../rule/verdict.js'
import type { Session } from '../../session/session.js'

/** @see OData JSON Format 4.01, 7.1 */
export const declaredTypes: PassiveRule = {
  kind: 'passive',
  id: 'declared-types',
  area: 'select',
  statement: 'Each value has the form of its declared type, and is null only where null is allowed.',
  advice:
    'Typed clients cannot read anything else. A missing value is null, not an empty string. A timestamp has a date, a time and a time zone.',
  aspects: ['property.values'],
  covers: ['properties'],
  severity: 'must',
  inspect: (response, site, session) => {
    const mayLack = partialUpdates(response.testRequest, session)
    const { type } = site ?? {}
    if (site === undefined || type === undefined) return undefined
    const rows = rowsIn(response, site)
    if (rows.length === 0) return undefined
    const isNullWrong = nullChecker(response.testRequest, session)
    for (const row of rows) {
      const key = keyOf(row, type)
      for (const mismatch of typeMismatches(row, type, session.service, isNullWrong)) {
        return findingOf(mismatch, key, response)
      }
      for (const mismatch of expandedMismatches(row, type, session.service)) return findingOf(mismatch, key, response)
      for (const property of type.properties) {
        const mismatch =
          formatMismatch(row[property.name], property, response) ?? missingMismatch(row, property, response, mayLack)
        if (mismatch !== undefined) return findingOf(mismatch, key, response)
      }
    }
    return 'seen'
  },
}

function findingOf(
  { path, value, type, expected }: TypeMismatch,
  key: string | undefined,
  response: TestResponse,
): Finding {
  return {
    message:
      value === undefined
        ? `${path} is absent, but cannot be null.`
        : `${path} is ${shortText(value)}, which is not ${expected}.`,
    expected,
    received: shortText(value),
    ...(key === undefined ? {} : { missing: [key] }),
    answers: [response],
    features: ['type', `type.${type}`],
  }
}

function shortText(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}

/**
 * Whether null is wrong for a property that is not nullable. A property that was not requested may be null instead of
 * absent, if that is legal.
 */
function nullChecker({ options, path }: TestRequest, session: Session): (name: string) => boolean {
  const isNullUnselected = permittedValues(session, 'unselected', 'absent').includes('null')
  if (options?.select === undefined) {
    // The link to a later page does not say what was selected.
    const selectsAll = !path.includes('?') && permittedValues(session, 'defaultProjection', 'all').isOnly('all')
    const isWhole = !isNullUnselected || selectsAll
    return () => isWhole
  }
  // A service need not support casts in $select: what only a cast names may count as unselected.
  const selected = selectedNames(options.select.filter(({ path }) => !path[0]?.includes('.')))
  return name => !isNullUnselected || selected.has(name) || selected.has('*')
}

/**
 * A value that is absent although it cannot be null: a selected property, or a member of a complex value that is returned as a
 * whole. What the interface does not name may be absent.
 *
 * @see OData JSON Format 4.01, 7 (structural property) and 7.2 (complex value)
 */
function missingMismatch(
  row: Row,
  property: Property,
  { testRequest: { path, options, rawQuery, headers } }: TestResponse,
  mayLack: (path: string) => boolean,
): TypeMismatch | undefined {
  // The link to a later page does not say what was selected.
  if (path.includes('?') || rawQuery !== undefined) return undefined
  // A preference may omit null and default values.
  const omits = headers?.['prefer']?.includes('omit-values') === true
  if (omits || options?.apply !== undefined || isAssumed(property)) return undefined
  const { name } = property
  const parts = (options?.select ?? []).filter(({ path }) => path[0] === name)
  if (parts.some(item => item.path.length > 1 || item.options !== undefined)) return undefined
  const value = row[name]
  if (value === undefined) return parts.length > 0 ? absence(property, name) : undefined
  return missingMember(value, property, name, mayLack)
}

function missingMember(
  value: unknown,
  { type }: Pick<Property, 'type'>,
  path: string,
  mayLack: (path: string) => boolean,
): TypeMismatch | undefined {
  if (type.kind !== 'complexType') return undefined
  for (const each of Array.isArray(value) ? value : [value]) {
    if (!isRow(each) || Object.keys(each).length === 0) continue
    for (const member of type.properties) {
      const inner = `${path}/${member.name}`
      if (isAssumed(member) || mayLack(inner)) continue
      const found = Object.hasOwn(each, member.name)
        ? missingMember(each[member.name], member, inner, mayLack)
        : absence(member, inner)
      if (found !== undefined) return found
    }
  }
  return undefined
}

/** By property, the members that each update of the run named. */
const updatesByRun = new WeakMap<object, Map<string, ReadonlySet<string>[]>>()

/**
 * Notes what an update names of complex values.
 *
 * @returns whether an item may lack a member, such as `body/contentType`: the service may replace complex values, and an update of the
 * run did not name it
 */
function partialUpdates({ method, body }: TestRequest, session: Session): (path: string) => boolean {
  const updates = updatesByRun.get(session.run) ?? new Map<string, ReadonlySet<string>[]>()
  updatesByRun.set(session.run, updates)
  for (const [name, value] of method === 'PATCH' && isRow(body) ? Object.entries(body) : []) {
    if (isRow(value)) updates.set(name, [...(updates.get(name) ?? []), new Set(Object.keys(value))])
  }
  const mayReplace = permittedValues(session, 'complexUpdate', 'merged').includes('replaced')
  return path => {
    const [name = '', member = ''] = path.split('/')
    return mayReplace && updates.get(name)?.some(named => !named.has(member)) === true
  }
}

function absence(property: Property, path: string): TypeMismatch | undefined {
  const { type, collection } = property
  const isStream = type.kind === 'primitive' && type.name === 'Stream'
  if (permitsNull(property) || collection || isStream) return undefined
  return {
    path,
    value: undefined,
    type: type.name,
    expected: 'a value: it cannot be null, so that it cannot be absent',
  }
}

/** Mismatches that depend on the request: a null collection that was selected, a quoted Int64 without IEEE754Compatible. */
function formatMismatch(
  value: unknown,
  { name: path, type, collection }: Property,
  { testRequest: request, headers }: TestResponse,
): TypeMismatch | undefined {
  // An unselected property may be null instead of absent, but a selected collection must be an array.
  if (value === null && collection && selectedNames(request.options?.select ?? []).has(path)) {
    return { path, value, type: 'Collection', expected: 'an array' }
  }
  const isQuoted = typeof value === 'string' && type.kind === 'primitive' && type.name === 'Int64'
  if (!isQuoted || !Number.isSafeInteger(Number(value))) return undefined
  if (/ieee754compatible=true/i.test(headers['content-type'] ?? '')) return undefined
  return { path, value, type: type.name, expected: 'an Edm.Int64, written as a number' }
}
