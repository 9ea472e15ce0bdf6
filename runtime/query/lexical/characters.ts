/** UTF-16 code units with a meaning in the grammar, by the names of RFC 5234 and the OData ABNF where these have one. */
export const TAB = 0x09
export const SPACE = 0x20
export const DOUBLE_QUOTE = 0x22
export const DOLLAR = 0x24
export const SINGLE_QUOTE = 0x27
export const OPEN = 0x28
export const CLOSE = 0x29
export const STAR = 0x2a
export const PLUS = 0x2b
export const COMMA = 0x2c
export const MINUS = 0x2d
export const DOT = 0x2e
export const SLASH = 0x2f
export const DIGIT_0 = 0x30
export const DIGIT_9 = 0x39
export const COLON = 0x3a
export const SEMICOLON = 0x3b
export const EQUALS = 0x3d
export const AT = 0x40
export const UPPER_N = 0x4e
export const OPEN_BRACKET = 0x5b
export const BACKSLASH = 0x5c
export const CLOSE_BRACKET = 0x5d
export const UNDERSCORE = 0x5f
export const LOWER_A = 0x61
export const LOWER_E = 0x65
export const LOWER_F = 0x66
export const LOWER_N = 0x6e
export const LOWER_O = 0x6f
export const LOWER_T = 0x74
export const LOWER_Z = 0x7a
export const OPEN_BRACE = 0x7b
export const CLOSE_BRACE = 0x7d
export const HASH = 0x23

/** Or-ed to the code of an ASCII letter, gives the code of its lower case. */
export const CASE_BIT = 0x20

export function isDigit(code: number): boolean {
  return code >= DIGIT_0 && code <= DIGIT_9
}

export function isHexDigit(code: number): boolean {
  return isDigit(code) || ((code | CASE_BIT) >= LOWER_A && (code | CASE_BIT) <= LOWER_F)
}

export function isAsciiLetter(code: number): boolean {
  return (code | CASE_BIT) >= LOWER_A && (code | CASE_BIT) <= LOWER_Z
}

export function isWhitespace(code: number): boolean {
  return code === SPACE || code === TAB
}
