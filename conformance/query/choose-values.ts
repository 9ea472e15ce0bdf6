const special = /[^A-Za-z0-9 .,-]/u

/**
 * A few of the values of a property that tell most: those with unusual characters first, texts that differ in letter case
 * only, then some from all over.
 *
 * @param seen unusual characters that values of other properties have: values with others are taken first, and theirs added
 */
export function chooseValues<Value>(
  values: readonly Value[],
  count: number,
  seen: Set<string> = new Set(),
): readonly Value[] {
  const chosen = new Set<Value>()
  const here = new Set<string>()
  const isFull = (): boolean => chosen.size >= Math.ceil(count / 2)
  const takeUnusual = (known: ReadonlySet<string>, also: (value: string) => boolean): void => {
    for (const value of values) {
      if (isFull()) return
      if (typeof value !== 'string' || value.length > 80 || chosen.has(value)) continue
      const unusual = [...value].filter(character => special.test(character))
      if (!unusual.some(character => !known.has(character)) && !also(value)) continue
      for (const character of unusual) {
        here.add(character)
        seen.add(character)
      }
      chosen.add(value)
    }
  }
  takeUnusual(seen, () => false)
  takeUnusual(here, value => value.trim() !== value || hasTwin(value, values))
  for (let index = 0; chosen.size < count && index < values.length; index++) {
    const step = Math.max(1, Math.floor(values.length / count))
    const value = values[(index * step) % values.length]
    if (value !== undefined && !chosen.has(value)) chosen.add(value)
    else {
      const other = values.find(each => !chosen.has(each))
      if (other === undefined) break
      chosen.add(other)
    }
  }
  return [...chosen]
}

function hasTwin(value: string, values: readonly unknown[]): boolean {
  const lower = value.toLowerCase()
  return (
    values.length <= 200 &&
    values.some(each => typeof each === 'string' && each !== value && each.toLowerCase() === lower)
  )
}
