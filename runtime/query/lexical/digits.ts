import { isDigit } from './characters.js'

/** The first offset at or after `position` that holds no ASCII digit. */
export function digitsEnd(text: string, position: number): number {
  let end = position
  while (isDigit(text.charCodeAt(end))) end += 1
  return end
}
