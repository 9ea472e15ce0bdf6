import type { Service } from '../../../spec/language/index.js'
import { makeData } from '../data/make-data.js'
import { randomOf } from '../data/random.js'
import type { Behaviour } from '../service/behaviour.js'
import { correctBehaviour } from '../service/correct-behaviour.js'
import { createMutantService } from '../service/create-mutant-service.js'
import type { Answer, Variant } from './variant.js'

/** A service that is several variants at once; the same seed makes the same service. */
export function buildVariant(variants: readonly Variant[], service: Service, seed: number): Answer {
  const random = randomOf(seed)
  let behaviour: Behaviour = correctBehaviour(service)
  for (const { behave } of variants) behaviour = { ...behaviour, ...behave?.(behaviour, service, random) }
  const data = makeData(service, Object.assign({ seed }, ...variants.map(variant => variant.data ?? {})))
  const before = variants.flatMap(variant => variant.before?.(service, random) ?? [])
  const [sees] = variants.flatMap(variant => variant.sees?.(service) ?? [])
  const answer = createMutantService({
    service,
    data,
    behaviour,
    before: (world, number) => {
      for (const each of before) each(world, number)
    },
    ...(sees === undefined ? {} : { sees }),
  })
  return variants.reduce<Answer>((inner, { wrap }) => wrap?.(inner, random) ?? inner, answer)
}

/** Some variants that do not exclude each other, chosen by seed. */
export function combine(variants: readonly Variant[], seed: number): readonly Variant[] {
  const random = randomOf(seed * 31 + 5)
  const count = 2 + Math.floor(random() * 6)
  const chosen = new Map<string, Variant>()
  for (let index = 0; index < count; index++) {
    const variant = variants[Math.floor(random() * variants.length)]
    if (variant !== undefined && !chosen.has(variant.group ?? variant.name))
      chosen.set(variant.group ?? variant.name, variant)
  }
  return [...chosen.values()]
}
