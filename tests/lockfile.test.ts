import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from './root.js'

interface Locked {
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

describe('package-lock.json', () => {
  it('locks the optional packages of every platform: without them npm ci refuses to install', () => {
    const { packages }: { packages: Readonly<Record<string, Locked>> } = JSON.parse(
      readFileSync(join(root, 'package-lock.json'), 'utf8'),
    )
    const missing = Object.entries(packages).flatMap(([name, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies)
        .filter(wanted => !Object.keys(packages).some(key => key.endsWith(`node_modules/${wanted}`)))
        .map(wanted => `${name} wants ${wanted}`),
    )
    expect(missing).toEqual([])
  })
})
