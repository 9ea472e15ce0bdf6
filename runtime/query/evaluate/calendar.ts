/** A day of the proleptic Gregorian calendar; year 0 is 1 BC. */
export interface Day {
  readonly year: number
  readonly month: number
  readonly day: number
}

const daysOf400Years = 146_097
const epochFromMarch0 = 719_468

/** Days since 1970-01-01. Years count from March here, so that the leap day is the last. */
export function daysSinceEpoch({ year, month, day }: Day): number {
  const shifted = month <= 2 ? year - 1 : year
  const era = Math.floor(shifted / 400)
  const yearOfEra = shifted - era * 400
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * daysOf400Years + dayOfEra - epochFromMarch0
}

/** The day that lies so many days after 1970-01-01. */
export function dayAt(days: number): Day {
  const shifted = days + epochFromMarch0
  const era = Math.floor(shifted / daysOf400Years)
  const dayOfEra = shifted - era * daysOf400Years
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153)
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  return { year, month, day: dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1 }
}
