import { forbiddenCharacter } from '../../../spec/language/source/forbidden-character.js'
import { type Compact, compact } from '../spec/compact.js'
import type { Said } from './annotation-index.js'
import { textOf, type Value } from './value.js'

interface Descriptions {
  readonly ref: string | undefined
  readonly description: string | undefined
}

/** What an element says of itself. */
export function descriptionsOf(said: Said): Compact<Descriptions> {
  const parts = [said('Core.Description'), said('Core.LongDescription')].flatMap(value => plainText(value) ?? [])
  return compact<Descriptions>({
    ref: plainText(said('Specwright.Ref')),
    description: parts.length === 0 ? undefined : [...new Set(parts)].join('\n\n'),
  })
}

const forbidden = new RegExp(forbiddenCharacter, 'g')

/** A text that YAML can hold; undefined when it says nothing. */
export function plainText(value: Value | undefined): string | undefined {
  const text = textOf(value)
  if (text === undefined || text.trim() === '') return undefined
  return text
    .replace(/\r\n?/g, '\n')
    .replace(forbidden, '\ufffd')
    .replace(/\p{Cs}/gu, '\ufffd')
}
