import { describe, expect, it } from 'vitest'
import type { Session } from '../session/session.js'
import { openTestSession, type SpecName } from '../testing/rule-tests.js'
import { absentItemSite } from './absent-item.js'
import { diverseFirst } from './site.js'

describe('an absent key', () => {
  it.each<SpecName>(['directory', 'library'])('has the format of existing keys, in the %s', async spec => {
    const { session } = await openTestSession(spec)
    const keyed = session.sites.filter(({ endpoint }) => endpoint.keys.length > 0 && endpoint.method === 'GET')
    expect(keyed.length).toBeGreaterThan(3)
    for (const site of keyed) {
      const unknown = absentItemSite(site, session)
      const variable = site.endpoint.keys.at(-1)?.variable ?? ''
      const [known = '', made = ''] = [site.keys[variable], unknown?.keys[variable]]
      expect(made).not.toBe('')
      expect(made).not.toBe(known)
      expect(unknown?.path).not.toBe(site.path)
      if (Number.isNaN(Number(known))) expect(shape(made)).toBe(shape(known))
    }
  })

  it.each<[string, SpecName, string, boolean]>([
    ['a short text, which may exist', 'directory', 'users.get', false],
    ['digits, all of which may exist', 'library', 'books.get', false],
    ['a small number', 'library', 'copies.get', false],
    ['a Guid', 'library', 'members.get', true],
    ['a GUID that may be sequential, for a write', 'library', 'members.update', false],
    ['a large number', 'library', 'loans.get', true],
  ])('for a truncated collection exists only if it is certainly unused: %s', async (_, spec, name, isMade) => {
    const { session } = await openTestSession(spec)
    const inPart: Pick<Session, 'sites' | 'snapshot'> = {
      sites: session.sites,
      snapshot: each => {
        const whole = session.snapshot(each)
        return whole && { ...whole, complete: false }
      },
    }
    const site = session.sites.find(({ endpoint }) => endpoint.name === name)
    if (site === undefined) throw new Error(`${name} is there.`)
    expect(absentItemSite(site, session)).toBeDefined()
    expect(absentItemSite(site, inPart) !== undefined).toBe(isMade)
  })

  it('is not in other collections of its type', async () => {
    const { session } = await openTestSession('library')
    const members = session.sites.find(({ endpoint }) => endpoint.name === 'members.get')
    const lists = session.sites.filter(({ endpoint, type }) => endpoint.kind === 'collection' && type === members?.type)
    const [set] = lists.filter(({ endpoint }) => endpoint.resolved.length === 1)
    if (members === undefined || set === undefined) throw new Error('There are members.')
    const few = {
      ...set,
      id: 'few',
      endpoint: { ...set.endpoint, resolved: [...set.endpoint.resolved, ...set.endpoint.resolved] },
    }
    const wanted = absentItemSite(members, session)?.keys
    const taken = Object.values(wanted ?? {}).at(-1) ?? ''
    const whole = session.snapshot(set)
    if (whole === undefined) throw new Error('They were read.')
    const grown = { ...whole, rows: [...whole.rows, { ...whole.rows[0], [members.type?.key[0]?.name ?? '']: taken }] }
    const both: Pick<Session, 'sites' | 'snapshot'> = {
      sites: [few, ...session.sites],
      snapshot: each => (each === set ? grown : each === few ? { ...whole, rows: [] } : session.snapshot(each)),
    }
    expect(absentItemSite(members, both)?.keys).not.toEqual(wanted)
    expect(absentItemSite(members, both)).toBeDefined()
  })

  it.each<[string, RegExp, readonly string[]]>([
    ['a GUID in a text', /^00000000-0000-4000-8000-0000[0-9a-f]{8}$/, ['00000000-0000-4000-8000-0000abcdef12']],
    [
      'hexadecimal digits',
      /^01[0-9A-F]{12}$/,
      ['01AB34CD56EF78', '01FFEE22BBCC10', '01A1B2C3D4E5F6', '01CAFE00BABE11'],
    ],
    [
      'an alphabet without some letters',
      /^[A-HJKMNP-TV-Z0-9]{8}$/,
      ['7XKQ3MNB', 'ZZYTSRQP', 'ABCDEFGH', 'JKMNPQRS', 'TVWXYZ12'],
    ],
    ['digits', /^\d{6}$/, ['100200', '100201', '345678']],
    ['a prefix', /^usr_[a-z0-9]{6}$/, ['usr_a1b2c3', 'usr_zz99yy']],
  ])('looks like existing keys: %s', async (_, form, keys) => {
    const { session } = await openTestSession('directory')
    const site = session.sites.find(({ endpoint }) => endpoint.name === 'users.get')
    if (site === undefined) throw new Error('There are users.')
    const [first = ''] = keys
    const rows = keys.map(id => ({ id }))
    const known: Pick<Session, 'sites' | 'snapshot'> = {
      sites: session.sites,
      snapshot: each => {
        const whole = session.snapshot(each)
        return whole && { ...whole, rows, complete: true }
      },
    }
    const made = absentItemSite({ ...site, keys: { id: first } }, known)?.keys['id'] ?? ''
    expect(made).toMatch(form)
    expect(keys).not.toContain(made)
  })

  it('is the same each time', async () => {
    const { session } = await openTestSession('directory')
    const site = session.sites.find(({ endpoint }) => endpoint.name === 'users.get')
    expect(site).toBeDefined()
    if (site === undefined) return
    expect(absentItemSite(site, session)).toEqual(absentItemSite(site, session))
  })

  it('does not exist if the path has no key', async () => {
    const { session } = await openTestSession('directory')
    const site = session.sites.find(({ endpoint }) => endpoint.keys.length === 0)
    expect(site === undefined ? undefined : absentItemSite(site, session)).toBeUndefined()
  })
})

describe('sites of different kinds', () => {
  it('come first, and each site occurs once', async () => {
    const { session } = await openTestSession('directory')
    const ordered = diverseFirst(session.sites)
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
