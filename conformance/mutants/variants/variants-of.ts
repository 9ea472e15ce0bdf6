import type { Service } from '../../../spec/language/index.js'
import { answeringVariants } from './answering.js'
import { chosenOtherwise } from './chosen-otherwise.js'
import { disturbingVariants } from './disturbing.js'
import { pagingVariants } from './paging.js'
import { refusingVariants } from './refusing.js'
import { renderingVariants } from './rendering.js'
import type { Variant } from './variant.js'

/** Every variant that is correct for a spec. */
export function variantsOf(service: Service): readonly Variant[] {
  const open = new Set(service.open.map(({ name }) => name))
  const others = [
    ...pagingVariants,
    ...renderingVariants,
    ...refusingVariants,
    ...answeringVariants,
    ...disturbingVariants,
  ].filter(({ choices }) => choices.every(choice => open.has(choice)))
  return [...chosenOtherwise(service), ...others]
}
