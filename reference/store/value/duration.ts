const durationText = /^([+-]?)P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/i

/** How long a duration lasts, in seconds; null when the text is none. */
export function secondsOfDuration(text: string): number | null {
  const [all, sign, days = '0', hours = '0', minutes = '0', seconds = '0'] = durationText.exec(text) ?? []
  if (all === undefined) return null
  const whole = Number(days) * 86_400 + Number(hours) * 3600 + Number(minutes) * 60
  // The fraction is added as text, so that it stays the one that was written.
  const [second = '0', fraction] = seconds.split('.')
  const total = Number(`${whole + Number(second)}${fraction === undefined ? '' : `.${fraction}`}`)
  return sign === '-' ? -total : total
}

/** The text of a duration: `P1DT2H3M4.5S`, without parts that are zero. */
export function durationOf(seconds: number): string {
  const text = decimalText(Math.abs(seconds))
  const [wholeText = '0', fraction] = text.split('.')
  const whole = Number(wholeText)
  const days = Math.floor(whole / 86_400)
  const hours = Math.floor(whole / 3600) % 24
  const minutes = Math.floor(whole / 60) % 60
  const rest = `${whole % 60}${fraction === undefined ? '' : `.${fraction}`}`
  const clock = `${part(hours, 'H')}${part(minutes, 'M')}${rest === '0' ? '' : `${rest}S`}`
  const magnitude = `P${part(days, 'D')}${clock === '' ? '' : `T${clock}`}`
  return `${seconds < 0 ? '-' : ''}${magnitude === 'P' ? 'PT0S' : magnitude}`
}

function part(amount: number, unit: string): string {
  return amount === 0 ? '' : `${amount}${unit}`
}

/** A number without exponent: 12 digits behind the point are all that a duration can have. */
function decimalText(seconds: number): string {
  const text = String(seconds)
  return text.includes('e') ? seconds.toFixed(12).replace(/\.?0+$/, '') : text
}
