import type { Service } from '../../../spec/language/index.js'
import { answeringVariants } from './answering.js'
import { chosenOtherwise } from './chosen-otherwise.js'
import { disturbingVariants } from './disturbing.js'
import { pagingVariants } from './paging.js'
import { refusingVariants } from './refusing.js'
import { renderingVariants } from './rendering.js'
import type { Variant } from './variant.js'

/** The open choice that a variant takes, where it takes one by other means than a setting. */
const choiceOf: Readonly<Record<string, string>> = {
  'short-pages': 'shortPages',
  'empty-pages': 'shortPages',
  'small-pages': 'shortPages',
  'unstable-order': 'defaultOrder',
  'ties-in-any-order': 'tieOrder',
  'nulls-absent-in-some-rows': 'absentProperty',
  'timestamps-finer-than-shown': 'timestampPrecision',
  'short-queries-only': 'queryLimits',
  'more-needs-the-header': 'advancedConstructs',
  'guids-quoted-only': 'guidLiteral',
  'guids-bare-only': 'guidLiteral',
  'filter-or-order': 'optionCombinations',
  'lists-lag': 'readYourWrites',
  'links-relative-to-the-list': 'nextLinkForm',
}

/** Every variant that is correct for a spec. */
export function variantsOf(service: Service): readonly Variant[] {
  const open = new Set(service.open.map(({ name }) => name))
  const others = [
    ...pagingVariants,
    ...renderingVariants,
    ...refusingVariants,
    ...answeringVariants,
    ...disturbingVariants,
  ].filter(({ name }) => {
    const choice = choiceOf[name]
    return choice === undefined || open.has(choice)
  })
  return [...chosenOtherwise(service), ...others]
}
