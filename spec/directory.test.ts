import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type Annotations, loadSpec, type Service } from './language/index.js'

const path = new URL('./directory.yaml', import.meta.url).pathname
const interfaceText = readFileSync(new URL('./directory.interface.md', import.meta.url), 'utf8')
const { service, diagnostics } = await loadSpec(path)

describe('the Directory spec', () => {
  it('is valid without a warning', () => {
    expect(diagnostics).toEqual([])
  })

  it('states for each element its source or why it is assumed', () => {
    const unexplained = elements(service).filter(({ ref, assumed }) => ref === undefined && assumed === undefined)
    expect(unexplained.map(({ location: place }) => place.pointer)).toEqual([])
  })

  it('refers only to sections that the interface has', () => {
    const sections = new Set([...interfaceText.matchAll(/^#+ (\d+(?:\.\d+)?)/gm)].map(([, number]) => number))
    const strangers = elements(service).filter(({ ref }) => ref !== undefined && !sections.has(ref.split(' ')[0]))
    expect(strangers.map(({ location: place }) => place.pointer)).toEqual([])
  })

  it('quotes the interface word for word', () => {
    const text = interfaceText.replaceAll(/\s+/g, ' ')
    const quotes = service?.clauses.map(({ quote }) => quote.replaceAll(/\s+/g, ' ')) ?? []
    expect(quotes.length).toBeGreaterThan(40)
    expect(quotes.filter(quote => !text.includes(quote))).toEqual([])
  })

  it('has its own error for every fault', () => {
    const faults = Object.entries(service?.faults ?? {}).filter(([name]) => name !== 'preconditionRequired')
    expect(faults.filter(([, error]) => error.builtIn)).toEqual([])
    expect(faults.length).toBeGreaterThan(20)
  })

  it('has a legal reference value for each choice', () => {
    const illegal = service?.open.filter(({ legal, reference }) => !legal.some(value => covers(value, reference)))
    expect(illegal).toEqual([])
    expect(service?.open.length).toBeGreaterThan(40)
  })
})

/** `4xx` covers 400. */
function covers(legal: string | number, value: string | number): boolean {
  return legal === value || (/^[45]xx$/.test(String(legal)) && String(value).startsWith(String(legal).charAt(0)))
}

/** Whatever may carry `ref` and `assumed`. */
function elements(described: Service | undefined): readonly Annotations[] {
  if (!described) return []
  const types = [...described.entityTypes, ...described.complexTypes]
  return [
    described,
    described.authentication,
    ...types.flatMap(type => [type, ...type.ownProperties, ...type.ownNavigation]),
    ...described.enumTypes,
    ...described.typeDefinitions,
    ...described.container,
    ...described.queryCapabilities.flatMap(query => [query, ...query.requires]),
    ...described.paths.flatMap(each => [each, ...each.endpoints]),
    ...described.operations.flatMap(({ returns, meaning, ...operation }) => [
      operation,
      ...operation.parameters,
      ...(returns ? [returns] : []),
      ...(meaning ? [meaning] : []),
    ]),
    ...described.preferences,
    ...described.errors.filter(({ builtIn }) => !builtIn),
    ...described.open,
  ]
}
