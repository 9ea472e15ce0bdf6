import type { EnumType } from '../../../spec/language/index.js'

/** The number of the members that a text names, `fiction,history`; undefined when it names one that is not there. */
export function enumNumber(text: string, { members }: EnumType): number | undefined {
  let number = 0
  for (const name of text.split(',')) {
    const trimmed = name.trim()
    const member = members.find(candidate => candidate.name === trimmed)
    if (member !== undefined) number |= member.value
    else if (/^-?\d{1,9}$/.test(trimmed)) number |= Number(trimmed)
    else return undefined
  }
  return number
}

/** The text of a number: the member that has it, else of flags the members that make it up, else the number. */
export function enumText(number: number, { members, flags }: EnumType): string {
  const exact = members.find(member => member.value === number)
  if (exact !== undefined) return exact.name
  if (!flags) return String(number)
  const parts = members.filter(({ value }) => value !== 0 && (number & value) === value)
  const sum = parts.reduce((bits, { value }) => bits | value, 0)
  return sum === number ? parts.map(part => part.name).join(',') : String(number)
}
