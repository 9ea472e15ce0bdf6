const second = 1_000_000_000n

/** Nanoseconds since 1970 of `2026-03-01T10:00:00.5+01:00`; undefined when the text is none. */
export function instantOf(text: string): bigint | undefined {
  const match = /^(-?\d{4,6}-\d\d-\d\d)T(\d\d:\d\d(?::\d\d(?:\.\d{1,12})?)?)(Z|[+-]\d\d:\d\d)$/i.exec(text)
  const [, date = '', clock = '', zone = ''] = match ?? []
  const day = Date.parse(`${date}T00:00:00Z`)
  const time = timeOf(clock)
  if (match === null || Number.isNaN(day) || time === undefined) return undefined
  const [hours = 0, minutes = 0] = zone.slice(1).split(':').map(Number)
  const offset = /z/i.test(zone) ? 0n : BigInt(hours * 60 + minutes) * 60n * second
  return BigInt(day) * 1_000_000n + time - (zone.startsWith('-') ? -offset : offset)
}

/** Nanoseconds since midnight of `10:00:00.5`; undefined when the text is none. */
export function timeOf(text: string): bigint | undefined {
  const match = /^(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,12}))?)?$/.exec(text)
  if (match === null) return undefined
  const [, hours = '0', minutes = '0', seconds = '0', fraction = ''] = match
  if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 60) return undefined
  return BigInt(Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * second + nanosOf(fraction)
}

/** Nanoseconds of `P1DT2H3M4.5S`; undefined when the text is none. */
export function durationOf(text: string): bigint | undefined {
  const match = /^(-?)P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.(\d+))?S)?)?$/i.exec(text)
  if (match === null || /[PT]$/i.test(text)) return undefined
  const [, sign = '', days = '0', hours = '0', minutes = '0', seconds = '0', fraction = ''] = match
  const whole = ((BigInt(days) * 24n + BigInt(hours)) * 60n + BigInt(minutes)) * 60n + BigInt(seconds)
  const nanos = whole * second + nanosOf(fraction)
  return sign === '' ? nanos : -nanos
}

/** `2026-03-01T10:00:00.5` without zone: date and time of day in UTC of an instant. */
export function partsOf(nanos: bigint): { readonly date: string; readonly time: bigint } {
  const day = 86_400n * second
  const time = ((nanos % day) + day) % day
  return { date: new Date(Number((nanos - time) / 1_000_000n)).toISOString().slice(0, 10), time }
}

/** Whether a text is a date of the calendar. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

function nanosOf(fraction: string): bigint {
  return BigInt(`${fraction}000000000`.slice(0, 9))
}
