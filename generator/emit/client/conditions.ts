import type { Condition, QueryCapabilities } from '../../../spec/language/index.js'
import { propertyName, valueIdentifier } from '../../names/identifiers.js'
import { type Breakable, labelled, layOut, unbroken } from '../../text/layout.js'
import { stringLiteral } from '../../text/literals.js'
import { annotatedDocs } from '../docs.js'
import type { ClientFile } from '../emit-context.js'

/** Headers that queries need, as `templates/client.hbs` shows them. */
export interface ConditionsView {
  readonly docs: readonly string[]
  readonly name: string
  /** The function's body, with what stands before it, a space or a line break. */
  readonly value: string
}

/** The functions that say which queries need which headers, each once however many endpoints share it. */
export interface ConditionsTable {
  /** The function for queries of an endpoint of a kind; undefined when they need no header. */
  nameOf(query: QueryCapabilities, kind: 'collection' | 'count'): string | undefined
  views(): readonly ConditionsView[]
}

export function conditionsTable(file: ClientFile): ConditionsTable {
  const views: ConditionsView[] = []
  const known = new Map<string, string>()
  return {
    nameOf(query, kind) {
      const headers = requiredHeaders(query.requires, kind)
      if (headers.length === 0) return undefined
      const content = JSON.stringify(headers)
      const declared = known.get(content)
      if (declared !== undefined) return declared
      // Named after the error that they avoid; where that has several, after the first query that needs them.
      const [first] = query.requires
      const ofError = `${valueIdentifier(first?.otherwise.name ?? '')}Conditions`
      const ofQuery = `${valueIdentifier(query.name)}Conditions`
      const name = file.scope.claim(file.scope.taken.has(ofError) ? ofQuery : ofError, '_')
      known.set(content, name)
      const docs = [...new Set(query.requires.flatMap(condition => annotatedDocs(condition)))]
      views.push({ docs, name, value: functionText(headers) })
      return name
    },
    views: () => views,
  }
}

/** A header, and the expressions of which any must hold for it to be needed. */
interface RequiredHeader {
  readonly name: string
  readonly value: string
  /** `always`, or code that looks at `query`. */
  readonly when: 'always' | string
}

function requiredHeaders(conditions: readonly Condition[], kind: 'collection' | 'count'): readonly RequiredHeader[] {
  const byHeader = new Map<string, { readonly header: Condition['header']; readonly when: (readonly string[])[] }>()
  for (const { header, when } of conditions) {
    const key = JSON.stringify([header.name.toLowerCase(), header.value])
    const entry = byHeader.get(key) ?? { header, when: [] }
    byHeader.set(key, entry)
    for (const all of when) {
      // `countPath` holds for every count and for nothing else, so it is decided here.
      if (kind === 'count') entry.when.push(all.filter(construct => construct !== 'countPath'))
      else if (!all.includes('countPath')) entry.when.push(all)
    }
  }
  return [...byHeader.values()].flatMap(({ header, when }) => {
    if (when.length === 0) return []
    const always = when.some(all => all.length === 0)
    return [{ ...header, when: always ? 'always' : anyOf(when) }]
  })
}

/** Constructs that do alone are looked for together; those that must meet, one by one. */
function anyOf(alternatives: readonly (readonly string[])[]): string {
  const alone = alternatives.filter(all => all.length === 1).flat()
  const together = alternatives.filter(all => all.length > 1)
  const tests = [
    ...(alone.length > 0 ? [constructTest(alone)] : []),
    ...together.map(all => {
      const every = all.map(construct => constructTest([construct])).join(' && ')
      return alternatives.length === 1 ? every : `(${every})`
    }),
  ]
  return tests.join(' || ')
}

/**
 * Whether the percent-encoded text of a query holds any of the constructs. A name too many costs a header, one too few a
 * refusal; filters and searches inside `$expand` count, where `$` and `=` are encoded.
 */
function constructTest(constructs: readonly string[]): string {
  const options: string[] = []
  const calls: string[] = []
  const operators: string[] = []
  const others: string[] = []
  for (const construct of new Set(constructs)) {
    const [option = '', ...rest] = construct.split('.')
    const name = rest.join('.').toLowerCase()
    if (construct === 'search') others.push('(\\$|%24)search(=|%3D)')
    else if (name === '') options.push(option === 'count' ? 'count=true' : `${escaped(option)}=`)
    else if (binaryOperators.has(name)) operators.push(name)
    else if (name === 'not') others.push('not%20')
    else if (name === 'negate') others.push('-')
    else if (name.startsWith('$')) others.push(`%2F%24${escaped(name.slice(1))}`)
    else calls.push(escaped(name))
  }
  const patterns = [
    ...(calls.length > 0 ? [`${group(calls)}\\(`] : []),
    ...(operators.length > 0 ? [`%20${group(operators)}%20`] : []),
    ...(options.length > 0 ? [`\\$${group(options)}`] : []),
    ...others,
  ]
  // OData 4.01 takes names of functions and operators in any letter case.
  return `/${patterns.join('|')}/i.test(query)`
}

const group = (names: readonly string[]): string => (names.length === 1 ? names.join('') : `(${names.join('|')})`)

const binaryOperators: ReadonlySet<string> = new Set(
  'eq ne gt ge lt le and or in has add sub mul div divby mod'.split(' '),
)

/** Nothing that a regular expression takes for itself; no name of a construct holds any of it. */
const escaped = (name: string): string => name.replace(/\W/g, '')

function functionText(headers: readonly RequiredHeader[]): string {
  const [only] = headers
  const body =
    headers.length === 1 && only !== undefined ? single(only) : unbroken(`({ ${headers.map(spread).join(', ')} })`)
  const head = headers.every(({ when }) => when === 'always') ? '() =>' : 'query =>'
  const behind: Breakable = { flat: ` ${body.flat}`, broken: () => `\n  ${layOut(body, 2, 2)}` }
  return layOut(labelled(head, behind), 0, 60)
}

const member = ({ name, value }: RequiredHeader): string => `${propertyName(name)}: ${stringLiteral(value)}`

const single = (header: RequiredHeader): Breakable =>
  unbroken(header.when === 'always' ? `({ ${member(header)} })` : `${header.when} ? { ${member(header)} } : {}`)

const spread = (header: RequiredHeader): string =>
  header.when === 'always' ? member(header) : `...(${header.when} ? { ${member(header)} } : {})`
