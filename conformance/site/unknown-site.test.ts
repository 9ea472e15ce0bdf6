import { describe, expect, it } from 'vitest'
import { openBench, type SpecName } from '../testing/rule-bench.js'
import { mostDifferent } from './most-different.js'
import { unknownSite } from './unknown-site.js'

describe('a key that no item has', () => {
  it.each<SpecName>(['directory', 'library'])('has the form of those there are, in the %s', async spec => {
    const { session } = await openBench(spec)
    const keyed = session.sites.filter(({ endpoint }) => endpoint.keys.length > 0 && endpoint.method === 'GET')
    expect(keyed.length).toBeGreaterThan(3)
    for (const site of keyed) {
      const unknown = unknownSite(site, session)
      const variable = site.endpoint.keys.at(-1)?.variable ?? ''
      const [known = '', made = ''] = [site.keys[variable], unknown?.keys[variable]]
      expect(made).not.toBe('')
      expect(made).not.toBe(known)
      expect(unknown?.path).not.toBe(site.path)
      if (Number.isNaN(Number(known))) expect(shape(made)).toBe(shape(known))
    }
  })

  it('is the same each time', async () => {
    const { session } = await openBench('directory')
    const site = session.sites.find(({ endpoint }) => endpoint.name === 'users.get')
    expect(site).toBeDefined()
    if (site === undefined) return
    expect(unknownSite(site, session)).toEqual(unknownSite(site, session))
  })

  it('is none where the path has no key', async () => {
    const { session } = await openBench('directory')
    const site = session.sites.find(({ endpoint }) => endpoint.keys.length === 0)
    expect(site === undefined ? undefined : unknownSite(site, session)).toBeUndefined()
  })
})

describe('sites of other kinds', () => {
  it('come first, and all come once', async () => {
    const { session } = await openBench('directory')
    const ordered = mostDifferent(session.sites)
    expect([...ordered].sort(byId)).toEqual([...session.sites].sort(byId))
    const kinds = new Set(session.sites.map(({ endpoint }) => endpoint.kind))
    const first = new Set(ordered.slice(0, 16).map(({ endpoint }) => endpoint.kind))
    expect(first).toEqual(kinds)
  })
})

function byId(a: { readonly id: string }, b: { readonly id: string }): number {
  return a.id < b.id ? -1 : 1
}

/** Letters and digits by their kind, all else as it is. */
function shape(text: string): string {
  return text.replaceAll(/[a-z]/gi, 'a').replaceAll(/[0-9]/g, '0')
}
