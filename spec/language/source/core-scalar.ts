const number = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/

/**
 * The value of a scalar without quotes: what the core schema resolves it to.
 *
 * @see YAML 1.2, 10.3.2 (tag resolution)
 */
export function coreScalar(text: string): string | number | boolean | null {
  switch (text) {
    case '':
    case '~':
    case 'null':
    case 'Null':
    case 'NULL':
      return null
    case 'true':
    case 'True':
    case 'TRUE':
      return true
    case 'false':
    case 'False':
    case 'FALSE':
      return false
  }
  const first = text.charCodeAt(0)
  // Digits, `+`, `-` and `.`: a number cannot begin with anything else.
  if ((first < 48 || first > 57) && first !== 43 && first !== 45 && first !== 46) return text
  if (number.test(text) || /^0(?:o[0-7]+|x[0-9a-fA-F]+)$/.test(text)) return Number(text)
  if (/^\.(?:nan|NaN|NAN)$/.test(text)) return Number.NaN
  const infinity = /^([-+]?)\.(?:inf|Inf|INF)$/.exec(text)
  if (infinity) return infinity[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  return text
}
