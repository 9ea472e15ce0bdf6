import type { Random } from './random.js'

/** The first day of seeded data, and how many days there are. */
const firstDay = Date.UTC(2015, 0, 1)
const days = 4_000

/** `2021-03-04`. */
export function seedDate(random: Random): string {
  return new Date(firstDay + random.below(days) * 86_400_000).toISOString().slice(0, 10)
}

/** `2021-03-04T05:06:07Z`, with as many digits of a second as there may be, up to three. */
export function seedTimestamp(random: Random, precision: number): string {
  const moment = firstDay + random.below(days) * 86_400_000 + random.below(86_400) * 1_000
  const digits = Math.min(precision, 3)
  if (digits === 0) return `${new Date(moment).toISOString().slice(0, 19)}Z`
  const fraction = String(random.below(10 ** digits)).padStart(digits, '0')
  return `${new Date(moment).toISOString().slice(0, 19)}.${fraction}Z`
}

/** `05:06:00`. */
export function seedTime(random: Random): string {
  return new Date(random.below(1_440) * 60_000).toISOString().slice(11, 19)
}

/** `PT5H6M`. */
export function seedDuration(random: Random): string {
  return `P${random.below(3) === 0 ? `${1 + random.below(30)}D` : ''}T${1 + random.below(23)}H${random.below(60)}M`
}
