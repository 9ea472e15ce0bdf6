import { readFileSync } from 'node:fs'
import { loadSpecText, type Service } from '../../../spec/language/index.js'
import { directoryProbes } from './directory-probe.js'
import { libraryProbes } from './library-probe.js'
import type { Probes } from './probe.js'

interface ProbedSpec {
  readonly name: string
  readonly service: Service
  readonly probes: Probes
  readonly root: string
}

/** The specs for which there are mutants and variants. */
export const probedSpecs: readonly ProbedSpec[] = [
  probed('directory', directoryProbes),
  probed('library', libraryProbes),
]

function probed(name: string, probes: Probes): ProbedSpec {
  const text = readFileSync(new URL(`../../../spec/${name}.yaml`, import.meta.url), 'utf8')
  const { service } = loadSpecText(text, `${name}.yaml`)
  if (service === undefined) throw new Error(`The spec ${name} has errors.`)
  return { name, service, probes, root: `http://service.example/${service.version}` }
}
