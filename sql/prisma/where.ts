// Conditions of Prisma. They keep an exact complement at hand, because Prisma's `not` does not find nulls.

/** The argument `where` of Prisma. */
export type Where = Readonly<Record<string, unknown>>

export const always: Where = {}
export const never: Where = { OR: [] }

function isAlways(where: Where): boolean {
  return Object.keys(where).length === 0
}

function isNever({ OR: options, ...others }: Where): boolean {
  return Array.isArray(options) && options.length === 0 && Object.keys(others).length === 0
}

export function and(wheres: readonly Where[]): Where {
  const parts = wheres.filter(where => !isAlways(where))
  if (parts.some(isNever)) return never
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : parts.length === 0 ? always : { AND: parts }
}

export function or(wheres: readonly Where[]): Where {
  const parts = wheres.filter(where => !isNever(where))
  if (parts.some(isAlways)) return always
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : { OR: parts }
}

/** A condition that is true, false or unknown for each item, and the exact complements of the first two. */
export interface Truth {
  readonly isTrue: Where
  readonly isNotTrue: Where
  readonly isFalse: Where
  readonly isNotFalse: Where
}

/** A condition that is never unknown. */
export function known(isTrue: Where, isFalse: Where): Truth {
  return { isTrue, isNotTrue: isFalse, isFalse, isNotFalse: isTrue }
}

export const unknown: Truth = { isTrue: never, isNotTrue: always, isFalse: never, isNotFalse: always }

export function not({ isTrue, isNotTrue, isFalse, isNotFalse }: Truth): Truth {
  return { isTrue: isFalse, isNotTrue: isNotFalse, isFalse: isTrue, isNotFalse: isNotTrue }
}

export function allOf(parts: readonly Truth[]): Truth {
  return {
    isTrue: and(parts.map(part => part.isTrue)),
    isNotTrue: or(parts.map(part => part.isNotTrue)),
    isFalse: or(parts.map(part => part.isFalse)),
    isNotFalse: and(parts.map(part => part.isNotFalse)),
  }
}

export function anyOf(parts: readonly Truth[]): Truth {
  return not(allOf(parts.map(not)))
}

/** A relation to one on the way to a value. */
export interface Step {
  readonly relation: string
  /** The condition that the related item meets, or it does not exist. */
  readonly visible: Where
  readonly nullable: boolean
}

/** There is an item at the end of the steps, and it meets a condition. */
export function through(steps: readonly Step[], where: Where): Where {
  return steps.reduceRight<Where>((inner, { relation, visible, nullable }) => {
    const condition = and([visible, inner])
    if (isNever(condition)) return never
    if (!isAlways(condition)) return { [relation]: { is: condition } }
    return nullable ? { [relation]: { isNot: null } } : always
  }, where)
}

/** There is no item at the end of the steps. */
function absent(steps: readonly Step[]): Where {
  return or(
    steps.flatMap(({ relation, visible, nullable }, index) => {
      const before = steps.slice(0, index)
      const missing = nullable ? [{ [relation]: { is: null } }] : []
      const hidden = isAlways(visible) ? [] : [{ [relation]: { isNot: visible } }]
      return [...missing, ...hidden].map(where => through(before, where))
    }),
  )
}

/** A condition on the item at the end of the steps, and what it is if there is no such item. */
export function behind(steps: readonly Step[], present: Truth, missing: Truth): Truth {
  if (steps.length === 0) return present
  const none = absent(steps)
  const both = (here: Where, otherwise: Where): Where => or([through(steps, here), and([none, otherwise])])
  return {
    isTrue: both(present.isTrue, missing.isTrue),
    isNotTrue: both(present.isNotTrue, missing.isNotTrue),
    isFalse: both(present.isFalse, missing.isFalse),
    isNotFalse: both(present.isNotFalse, missing.isNotFalse),
  }
}
