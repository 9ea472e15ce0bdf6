import { scopeOf } from '../../../conformance/choices/scope.js'
import type { OpenChoice, Service } from '../../../spec/language/index.js'
import { createRandom, generateData } from '../data/generate-data.js'
import type { Behaviour } from '../service/behaviour.js'
import { correctBehaviour } from '../service/correct-behaviour.js'
import { createMutantService } from '../service/service.js'
import { disturbanceVariants } from './disturbances.js'
import { limitedSupportVariants } from './limited-support.js'
import { pagingVariants } from './paging.js'
import { inSomeCollections, isLocal, placeVariants } from './places.js'
import { responseVariants } from './responses.js'
import { serializationVariants } from './serialization.js'
import type { Handler, Variant } from './variant.js'

/** All variants that conform to a spec. */
export function variantsOf(service: Service): readonly Variant[] {
  const open = new Set(service.open.filter(({ legal }) => legal.length > 1).map(({ name }) => name))
  const others = [
    ...pagingVariants,
    ...serializationVariants,
    ...limitedSupportVariants,
    ...responseVariants,
    ...disturbanceVariants,
    ...placeVariants,
  ].filter(({ choices, conformsTo }) => choices.every(choice => open.has(choice)) && conformsTo?.(service) !== false)
  const all = [...choiceVariants(service), ...others]
  const byPlace = all.filter(each => each.choices.length > 0 && isLocal(each)).map(each => inSomeCollections(each, 1))
  return [...all, ...byPlace]
}

/** Choices that have their own variants. */
const elsewhere: ReadonlySet<string> = new Set([
  'shortPages',
  'advancedCollections',
  'complexUpdate',
  'advancedConstructs',
  'optionSupport',
  'optionCombinations',
  'queryLimits',
  'absentProperty',
  'timestampPrecision',
  'guidLiteral',
  'tieOrder',
  'defaultOrder',
  'readYourWrites',
  'unsupportedQueryStatus',
  'advancedQueryStatus',
])

/** A variant for each permitted value of each open choice. */
function choiceVariants(service: Service): readonly Variant[] {
  return service.open
    .filter(({ name }) => !elsewhere.has(name))
    .flatMap(choice =>
      choice.legal.filter(value => String(value) !== String(choice.reference)).map(value => chosen(choice, value)),
    )
}

function chosen({ name, description }: OpenChoice, value: string | number): Variant {
  return {
    name: `${name}-${value}`,
    group: name,
    choices: [name],
    statement: `${description ?? name} Here: ${value}.`,
    change: ({ choices }) => ({ choices: { ...choices, [name]: value } }),
  }
}

/** Creates a service that combines several variants. The same seed creates the same service. */
export function createVariantService(variants: readonly Variant[], service: Service, seed: number): Handler {
  const random = createRandom(seed)
  const behaviourOf = (collection: string | undefined): Behaviour => {
    let behaviour: Behaviour = correctBehaviour(service)
    for (const { change: behave, appliesTo } of variants) {
      const applies = appliesTo === undefined || (collection !== undefined && appliesTo(collection))
      if (applies) behaviour = { ...behaviour, ...behave?.(behaviour, service, random) }
    }
    return behaviour
  }
  const behaviours = new Map<string | undefined, Behaviour>()
  const data = generateData(service, Object.assign({ seed }, ...variants.map(variant => variant.data ?? {})))
  const before = variants.flatMap(variant => variant.beforeRequest?.(service, random) ?? [])
  const [sees] = variants.flatMap(variant => variant.storeFor?.(service) ?? [])
  const answer = createMutantService({
    service,
    data,
    behaviourFor: endpoint => {
      const collection = endpoint === undefined ? undefined : scopeOf({ endpoint })
      const behaviour = behaviours.get(collection) ?? behaviourOf(collection)
      behaviours.set(collection, behaviour)
      return behaviour
    },
    beforeRequest: (store, number) => {
      for (const each of before) each(store, number)
    },
    ...(sees === undefined ? {} : { storeFor: sees }),
  })
  return variants.reduce<Handler>((inner, { wrap }) => wrap?.(inner, random) ?? inner, answer)
}

/** A random combination of compatible variants. */
export function combineVariants(variants: readonly Variant[], seed: number): readonly Variant[] {
  const random = createRandom(seed * 31 + 5)
  const count = 2 + Math.floor(random() * 6)
  const chosen = new Map<string, Variant>()
  for (let index = 0; index < count; index++) {
    const variant = variants[Math.floor(random() * variants.length)]
    const group = variant?.group ?? variant?.name
    if (variant === undefined || group === undefined || chosen.has(group)) continue
    const isLimited = variant.appliesTo === undefined && isLocal(variant) && random() < 0.5
    chosen.set(group, isLimited ? inSomeCollections(variant, seed) : variant)
  }
  return [...chosen.values()]
}
