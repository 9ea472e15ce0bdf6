import type { ServiceTable } from '../../runtime/server/index.js'
import type { Service } from '../../spec/language/index.js'

/** Choices that change what is sent or how a page is cut; the others are how the store compares, orders and finds. */
const adjustable: ReadonlySet<string> = new Set([
  'countOnLaterPages',
  'emptyRelation',
  'topAboveMaximum',
  'topMeaning',
  'unselected',
  'unselectedKey',
])

/**
 * The table with other answers to choices that the spec leaves open.
 *
 * @throws {TypeError} for a choice that the spec does not have, an answer that it does not allow, or one that the store
 * cannot give
 */
export function chosen(
  table: ServiceTable,
  { open }: Service,
  choices: Readonly<Record<string, string | number>>,
): ServiceTable {
  for (const [name, value] of Object.entries(choices)) {
    const choice = open.find(candidate => candidate.name === name)
    if (choice === undefined) throw new TypeError(`The spec leaves no choice open that is named ${name}.`)
    if (!choice.legal.includes(value)) {
      throw new TypeError(`The choice ${name} may be ${choice.legal.join(' or ')}, but found ${value}.`)
    }
    if (value !== choice.reference && !adjustable.has(name)) {
      throw new TypeError(`The choice ${name} is always ${choice.reference} here.`)
    }
  }
  return { ...table, choices: { ...table.choices, ...choices } }
}
