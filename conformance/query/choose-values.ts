const special = /[^A-Za-z0-9 .,-]/

/**
 * A few of the values of a property that tell most: those with unusual characters first, texts that differ in letter case
 * only, then some from all over.
 */
export function chooseValues<Value>(values: readonly Value[], count: number): readonly Value[] {
  const chosen = new Set<Value>()
  const characters = new Set<string>()
  for (const value of values) {
    if (typeof value !== 'string' || value.length > 80) continue
    const unusual = [...value].filter(character => special.test(character) && !characters.has(character))
    if (unusual.length === 0 && value.trim() === value && !hasTwin(value, values)) continue
    for (const character of unusual) characters.add(character)
    chosen.add(value)
    if (chosen.size >= Math.ceil(count / 2)) break
  }
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
