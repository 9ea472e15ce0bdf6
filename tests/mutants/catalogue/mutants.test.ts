import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Area, areas } from '../../../conformance/index.js'
import { generateData } from '../data/generate-data.js'
import { correctBehaviour } from '../service/correct-behaviour.js'
import { createMutantService } from '../service/service.js'
import { firstDifference, transcript } from '../testing/probe.js'
import { probedSpecs } from '../testing/specs.js'
import { mutants } from './index.js'

/** With few rows, which show most faults in less time, and with many. */
const sizes = [24, 60] as const
const specs = probedSpecs.map(spec => ({
  ...spec,
  sizes: sizes.map(rows => ({ ...spec, data: generateData(spec.service, { rows }) })),
}))

type Spec = (typeof specs)[number]
type SizedSpec = Spec['sizes'][number]

// Created items have a timestamp. With a frozen clock, two services return the same.
beforeAll(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-05-05T05:05:05Z') })
})
afterAll(() => {
  vi.useRealTimers()
})

describe('mutants', () => {
  it('have unique names', () => {
    const names = mutants.map(({ name }) => name)
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  })

  it('number more than a hundred and cover every area of the interface', () => {
    expect(mutants.length).toBeGreaterThan(100)
    expect(areas.filter(area => !mutants.some(mutant => mutant.area === area))).toEqual([])
  })

  it.each(
    specs
      .flatMap(spec => areas.map(area => ({ spec, area, of: spec.name })))
      .filter(({ spec, area }) => mutantsFor(spec, area).length > 0),
  )('in $area of $of each answer some request differently from a correct service', async ({ spec, area }) => {
    const alike: string[] = []
    const shown = new Map<string, number>(topics[area]?.map(topic => [topic, 1]))
    for (const mutant of mutantsFor(spec, area)) {
      let difference: string | undefined
      for (const sized of spec.sizes) {
        for (const [about, answers] of likeliestFirst(shown, await cachedTranscripts(sized))) {
          const probe = spec.probes[about]
          if (probe === undefined || difference !== undefined) continue
          const correct = correctBehaviour(spec.service)
          const service = createMutantService({ ...sized, behaviour: { ...correct, ...mutant.change(correct) } })
          difference = await firstDifference(probe, service, spec.root, answers)
          if (difference !== undefined) shown.set(about, (shown.get(about) ?? 0) + 1)
        }
      }
      if (difference === undefined) alike.push(mutant.name)
    }
    expect(
      alike,
      `No request of tests/mutants/testing/${spec.name}-probe.ts shows these faults: add one that does.`,
    ).toEqual([])
  })

  it.each(specs)('differ from a correct service of $name, which is deterministic', async spec => {
    for (const sized of spec.sizes) {
      const expected = await cachedTranscripts(sized)
      expect([...expected.values()].flat().filter(answer => / 500 \[/.test(answer))).toEqual([])
      expect(await transcripts(sized)).toEqual(expected)
    }
  })
})

const mutantsFor = (spec: Spec, area: Area) => mutants.filter(each => each.spec === spec.name && each.area === area)

const known = new Map<SizedSpec, ReturnType<typeof transcripts>>()

/** The transcripts of a correct service, cached for all mutants. */
function cachedTranscripts(spec: SizedSpec): ReturnType<typeof transcripts> {
  const answers = known.get(spec) ?? transcripts(spec)
  known.set(spec, answers)
  return answers
}

/** The transcripts of a correct service, by topic. */
async function transcripts({
  service,
  data,
  probes,
  root,
}: SizedSpec): Promise<ReadonlyMap<string, readonly string[]>> {
  const answers = new Map<string, readonly string[]>()
  for (const [about, probe] of Object.entries(probes)) {
    answers.set(about, await transcript(probe, createMutantService({ service, data }), root))
  }
  return answers
}

/** The topics that most likely show a fault in an area; a spec may have only some. */
const topics: Readonly<Partial<Record<Area, readonly string[]>>> = {
  filter: ['filters'],
  writing: ['mail', 'changes'],
  'entity-tags': ['mail', 'changes'],
  preferences: ['mail'],
  operations: ['operations'],
  delta: ['delta', 'changes'],
  authentication: ['items'],
  errors: ['items'],
  items: ['items'],
  protocol: ['items'],
}

/** The transcripts. The topics that have shown most faults of the area come first. */
function likeliestFirst<Answers>(
  shown: ReadonlyMap<string, number>,
  all: ReadonlyMap<string, Answers>,
): readonly (readonly [string, Answers])[] {
  return [...all].sort(([a], [b]) => (shown.get(b) ?? 0) - (shown.get(a) ?? 0))
}
