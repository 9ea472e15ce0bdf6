import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import type { Report } from '../../conformance/index.js'
import { nextStep } from './check-service.js'

const run = {
  summary: '',
  seed: 7,
  service: { name: 'things', title: 'Things', version: 'v1.0' },
  target: 'http://x.test/v1.0',
}
const site = { site: 'GET /things', method: 'GET', template: '/things', path: '/things', unsupported: [] }

describe('nextStep', () => {
  it.each<[Report['verdict'], boolean, RegExp]>([
    ['unreachable', false, /running.*address/],
    ['unreachable', true, /log.*--seed 7/],
    ['refused', false, /--token or SPECWRIGHT_TOKEN/],
    ['refused', true, /valid for the whole run.*--time/],
    ['insufficient-coverage', true, /--allow-writes/],
    ['partial', true, /more data/],
  ])('of a run that is %s (begun: %s)', (verdict, hasBegun, words) => {
    expect(nextStep({ ...run, verdict, sites: hasBegun ? [site] : [] })).toMatch(words)
  })

  it.each([
    ['http://x.test/v1.0/', undefined],
    ['http://x.test', 'http://x.test/v1.0'],
    ['http://x.test/v2', 'http://x.test/v1.0'],
    ['http://x.test/api/', 'http://x.test/api/v1.0'],
  ])('names the address with the version for %s', (target, better) => {
    const step = nextStep({ ...run, target, verdict: 'unreachable', sites: [] }) ?? ''
    expect(/try (\S+)$/.exec(step)?.[1]).toBe(better)
  })

  it('asks for another token if one was given', () => {
    expect(nextStep({ ...run, verdict: 'refused', sites: [] }, true)).toMatch(/^Pass another token/)
  })

  it.each([
    ['EPROTO', 'https://x.test/v1.0', /Is it http:\/\/x\.test\/v1\.0\?$/],
    ['ECONNREFUSED', 'https://x.test/v1.0', /^Is the service running/],
    ['EPROTO', 'http://x.test/v1.0', /^Is the service running/],
  ])('of a service that did not respond (%s) at %s', (code, target, words) => {
    const summary = `${target}/things did not respond (${code}).`
    expect(nextStep({ ...run, target, summary, verdict: 'unreachable', sites: [] })).toMatch(words)
  })

  it.each<Report['verdict']>(['conforms', 'violations', 'stale', 'interrupted'])(
    'is left to the report: %s',
    verdict => {
      expect(nextStep({ ...run, verdict, sites: [site] })).toBeUndefined()
    },
  )
})

const module = new URL('../../build/bin/conformance/check-service.js', import.meta.url).href

it.each([100, 50_000])('V8 has each flag that a run over %i rows sets', rows => {
  const program = `import { tuneV8 } from ${JSON.stringify(module)}; tuneV8(${rows})`
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  })
  expect([status, stderr]).toEqual([0, ''])
})

it('V8 warns about an unknown flag', () => {
  const program = "require('node:v8').setFlagsFromString('--no-such-flag=1')"
  expect(spawnSync(process.execPath, ['--eval', program], { encoding: 'utf8' }).stderr).toContain('unrecognized flag')
})
