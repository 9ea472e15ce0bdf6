import type { Property } from '../../../spec/language/index.js'

/** The form of the texts of a property. */
export type TextForm =
  | 'address'
  | 'guid'
  | 'url'
  | 'timestamp'
  | 'digits'
  /** One of a few values. */
  | 'category'
  /** One word without spaces, such as a nickname or a code. */
  | 'word'
  | 'text'

const patterns: readonly (readonly [TextForm, RegExp])[] = [
  ['address', /^[^\s@<>]+@[^\s@<>]+$/],
  ['guid', /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i],
  ['url', /^https?:\/\/\S+$/],
  ['timestamp', /^\d{4}-\d\d-\d\dT\d\d:\d\d/],
  ['digits', /^\d+$/],
]

/** Names of properties that hold an e-mail address, and of those that hold a single word. */
const addressName = /(?:(?:e-?)?mail|(?<!web|ip|mac|street|postal|home|business)address)$/i
const wordName = /(?:nick(?:name)?|alias|login|user_?name|handle|slug|code)$/i

/** A property is a category if it repeats its values this often on average. */
const categoryRepetition = 3

/** The form of a property's texts: by the texts of existing items, and by its name. */
export function textForm({ name, unique }: Pick<Property, 'name' | 'unique'>, examples: readonly unknown[]): TextForm {
  const texts = examples.filter(each => typeof each === 'string').filter(each => each !== '')
  if (addressName.test(name)) return 'address'
  const found = texts.length === 0 ? undefined : patterns.find(([, form]) => texts.every(text => form.test(text)))
  if (found !== undefined) return found[0]
  if (wordName.test(name)) return 'word'
  if (texts.length === 0) return 'text'
  if (!unique && texts.length >= categoryRepetition * new Set(texts).size) return 'category'
  return texts.every(text => /^[\w.+-]{1,40}$/.test(text)) ? 'word' : 'text'
}
