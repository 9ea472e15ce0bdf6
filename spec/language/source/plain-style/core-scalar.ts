const number = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/

/**
 * The value of a scalar without quotes.
 *
 * @returns undefined for a form that is left to the full parser: hexadecimal, octal, infinity
 * @see YAML 1.2, 10.3.2 (tag resolution of the core schema)
 */
export function coreScalar(text: string): string | number | boolean | null | undefined {
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
  // Digits, `+`, `-` and `.`: the only beginnings of a number.
  if ((first < 48 || first > 57) && first !== 43 && first !== 45 && first !== 46) return text
  if (/^0[xo]|^[-+]?\.(?:inf|nan)$/i.test(text)) return undefined
  return number.test(text) ? Number(text) : text
}
