import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runConformance } from '../../conformance/index.js'
import { sqliteDrivers } from '../../reference/testing/sqlite-drivers.js'
import { root } from '../root.js'
import { knownFaults } from './cap/known-faults.js'
import { type Cap, serveCap } from './cap/serve-cap.js'

/** The number of seeds. `npm run soak` tries 10. */
const runs = Number(process.env['CAP_RUNS'] ?? 1)

// CAP needs better-sqlite3: with its other drivers, it has other faults.
describe.skipIf(!sqliteDrivers.some(({ name }) => name === 'better-sqlite3'))('SAP CAP, a third-party service,', () => {
  let cap: Cap
  beforeAll(async () => {
    cap = await serveCap()
  })
  afterAll(() => cap.stop())

  it.each(Array.from({ length: runs }, (_, index) => index + 1))(
    'has the faults in docs/findings.md and no other, with seed %i',
    async seed => {
      const { violations, leftovers, verdict } = await runConformance({
        spec: join(root, 'tests/third-party/cap/catalog.yaml'),
        target: cap.url,
        allowWrites: true,
        seed,
      })
      const others = violations.filter(violation => !knownFaults.some(finding => finding.matches(violation)))
      expect(others.map(({ rule, site, message, exchanges }) => [rule, site, message, exchanges.at(-1)?.curl])).toEqual(
        [],
      )
      for (const { matches: tells, heading } of knownFaults) {
        expect(violations.filter(tells).length, `${heading}: ${tells}`).toBeGreaterThan(0)
      }
      expect({ verdict, leftovers }).toEqual({ verdict: 'violations', leftovers: [] })
    },
  )

  it('has a section in docs/findings.md for each fault', () => {
    const text = readFileSync(join(root, 'docs/findings.md'), 'utf8')
    const headings = [...text.matchAll(/^### (.+)$/gm)].map(([, heading]) => heading)
    expect(headings).toEqual([...new Set(knownFaults.map(finding => finding.heading)), 'Legal choices'])
  })

  const number = (filter: string) => `/Books/$count?$filter=${filter}`
  it.each([
    [number("subtitle ne 'poems'"), 200, '54'],
    [number("not (subtitle eq 'poems')"), 200, '28'],
    [number('subtitle eq null'), 200, '26'],
    ["/Authors/$count?$filter=toupper(name) eq 'EMILY BRONTË'", 200, '0'],
    ["/Authors/$count?$filter=name eq 'Emily Brontë'", 200, '1'],
    ["/Authors/$count?$filter=toupper(name) eq 'EDGAR ALLAN POE'", 200, '1'],
    ['/Books?$skip=-1', 200, '"ID":200,'],
    ['/Books(ID=200)?$top=1', 200, '"ID":200,'],
    ['/Books(ID=200)?$count=true', 200, '"ID":200,'],
    ['/Books(ID=200)?$orderby=ID desc', 200, '"ID":200,'],
    [number("inPrint eq 'banana'"), 200, '20'],
    [number("published gt 'banana'"), 200, '0'],
  ])('answers as docs/findings.md says: %s', async (path, status, part) => {
    const answer = await fetch(cap.url + path)
    const text = await answer.text()
    expect(answer.status).toBe(status)
    if (/^\d+$/.test(part)) expect(text).toBe(part)
    else expect(text).toContain(part)
  })

  it('answers a duplicate key as docs/findings.md says', async () => {
    const before = await (await fetch(`${cap.url}/Books(ID=200)`)).text()
    const answer = await fetch(`${cap.url}/Books`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ID: 200, title: 'again' }),
    })
    expect(answer.status).toBe(500)
    expect(await answer.text()).toContain('UNIQUE constraint failed: bookshop_Books.ID')
    expect(await (await fetch(`${cap.url}/Books(ID=200)`)).text()).toBe(before)
  })
})
