import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it } from 'vitest'
import { runConformance } from '../../conformance/index.js'
import { root } from '../root.js'
import { fleetFaults, type KnownFault, matches, recipesFaults } from './mock-servers/known-faults.js'

const folder = join(root, 'tests/third-party/mock-servers')

/** Runs a server of the folder while the callback needs it. */
async function serving<T>(file: string, use: (url: string) => Promise<T>): Promise<T> {
  // The servers log each error of a request.
  const child = spawn(process.execPath, [join(folder, file)], { stdio: ['ignore', 'pipe', 'ignore'] })
  const closed = once(child, 'close')
  try {
    const url = await new Promise<string>((resolve, reject) => {
      createInterface({ input: child.stdout }).on('line', line => {
        if (line.startsWith('http://')) resolve(line)
      })
      void closed.then(([code]) => reject(new Error(`${file} ended with ${code}`)))
    })
    return await use(url)
  } finally {
    child.kill('SIGTERM')
    await closed
  }
}

describe.each<[string, string, string, readonly KnownFault[]]>([
  ['The mock server of SAP Fiori tools', 'serve-fleet.mjs', 'fleet.yaml', fleetFaults],
  ['simple-odata-server', 'serve-recipes.mjs', 'recipes.yaml', recipesFaults],
])('%s, a third-party service,', (title, file, spec, knownFaults) => {
  it('has the faults in docs/findings.md and no other', async () => {
    const report = await serving(file, target =>
      runConformance({ spec: join(folder, spec), target, allowWrites: true, seed: 1, requests: 1_000 }),
    )
    const others = report.violations.filter(violation => !knownFaults.some(fault => matches(fault, violation)))
    expect(others.map(({ rule, site, message }) => [rule, site, message])).toEqual([])
    const unseen = knownFaults.filter(fault => !report.violations.some(violation => matches(fault, violation)))
    expect(unseen.map(({ says }) => says)).toEqual([])
    expect(report).toMatchObject({ verdict: 'violations', leftovers: [] })
  })

  it('has a row in docs/findings.md for each fault', () => {
    const text = readFileSync(join(root, 'docs/findings.md'), 'utf8')
    const section =
      text
        .slice(text.indexOf(`\n## ${title}\n`))
        .slice(1)
        .split('\n## ')[0] ?? ''
    const rows = [...section.matchAll(/^\| (.+?) \|/gm)].map(([, first]) => first)
    expect(rows.filter(row => row !== 'fault').sort()).toEqual(knownFaults.map(({ says }) => says).sort())
  })
})
