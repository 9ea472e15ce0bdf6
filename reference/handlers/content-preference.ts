import { JsonText, type PreferenceValues, type Route } from '../../runtime/server/index.js'
import type { ComplexType, EntityType } from '../../spec/language/index.js'
import { defineMember, isObject } from '../../sql/index.js'
import type { Store } from '../store/store.js'

/** Converts the content of an item to the format that the caller prefers. */
type ContentAdapter = (entity: Record<string, unknown>) => void

/** The adapter for the preferences of a request; undefined if the items need no conversion. */
type ContentAdapters = (prefer: PreferenceValues) => ContentAdapter | undefined

/** A preference for the format of a content, where `body/contentType` gives the format of `body/content`. */
interface ContentPreference {
  /** The name of the preference in the `Prefer` header. */
  readonly name: string
  /** The complex property, and its members with the format and the content. */
  readonly property: string
  readonly typeMember: string
  readonly contentMember: string
}

/**
 * Prepares the content preferences of a route. A preference qualifies if it names a member whose values include `text` and
 * `html`, next to a single text.
 */
export function contentAdapters(route: Route, type: EntityType, store: Store): ContentAdapters {
  const preferences = route.preferences.flatMap(name => contentPreference(name, type, store))
  return prefer => {
    if (!preferences.some(({ name }) => prefer[name] !== undefined)) return undefined
    return entity => {
      for (const preference of preferences) {
        const format = prefer[preference.name]
        if (format !== undefined) adapt(entity, preference, format)
      }
    }
  }
}

function contentPreference(id: string, type: EntityType, { service }: Store): readonly ContentPreference[] {
  const preference = service.preferences.find(candidate => candidate.id === id)
  const [name, typeMember, ...more] = preference?.property?.split('/') ?? []
  const complex = type.properties.find(property => property.name === name && !property.collection)?.type
  if (preference === undefined || name === undefined || typeMember === undefined || more.length > 0) return []
  const contentMember = complex?.kind === 'complexType' ? contentBeside(typeMember, complex) : undefined
  return contentMember === undefined ? [] : [{ name: preference.name, property: name, typeMember, contentMember }]
}

/** The only text next to the member that gives its format. */
function contentBeside(typeMember: string, { properties }: ComplexType): string | undefined {
  const type = properties.find(property => property.name === typeMember)?.type
  const isContentType =
    type?.kind === 'enumType' && ['text', 'html'].every(name => type.members.some(each => each.name === name))
  const texts = properties.filter(
    ({ type: of, collection }) => of.kind === 'primitive' && of.name === 'String' && !collection,
  )
  return isContentType && texts.length === 1 ? texts[0]?.name : undefined
}

function adapt(
  entity: Record<string, unknown>,
  { property, typeMember, contentMember }: ContentPreference,
  format: string,
): void {
  const given = Object.hasOwn(entity, property) ? entity[property] : undefined
  const value = given instanceof JsonText ? given.toJSON() : given
  if (!isObject(value) || value[typeMember] === format) return
  const content = value[contentMember]
  if (typeof content !== 'string') return
  const converted = format === 'text' ? htmlToText(content) : textToHtml(content)
  defineMember(entity, property, { ...value, [typeMember]: format, [contentMember]: converted })
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'", nbsp: '\u00a0' }

/** HTML elements that start a new line of text. */
const lineElements: ReadonlySet<string> = new Set(['br', 'p', 'div', 'li', 'tr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'])

/** HTML elements whose content is not text. */
const silentElements: ReadonlySet<string> = new Set(['script', 'style', 'head', 'title'])

/** The text of an HTML document or fragment, with a line break at the start of each block. */
export function htmlToText(html: string): string {
  let text = ''
  let silent = ''
  let position = 0
  while (position < html.length) {
    const open = html.indexOf('<', position)
    const end = open < 0 ? html.length : open
    if (silent === '') text += decoded(html.slice(position, end))
    if (open < 0) break
    const close = html.indexOf('>', open)
    if (close < 0) break
    const [, slash = '', name = ''] = /^<(\/?)([A-Za-z][A-Za-z0-9]{0,20})/.exec(html.slice(open, open + 24)) ?? []
    const element = name.toLowerCase()
    if (silent !== '') {
      if (slash === '/' && element === silent) silent = ''
    } else if (slash === '' && silentElements.has(element)) silent = element
    else if (slash === '' && lineElements.has(element) && text !== '' && !text.endsWith('\n')) text += '\n'
    position = close + 1
  }
  return text.trim()
}

/** An HTML document that shows a text. */
export function textToHtml(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return `<html><body>${escaped.replaceAll('\r\n', '\n').replaceAll('\n', '<br>')}</body></html>`
}

function decoded(text: string): string {
  return text.replaceAll(/&(#x?[0-9A-Fa-f]{1,6}|[a-z]{2,5});/g, (whole, name: string) => {
    if (!name.startsWith('#')) return Object.hasOwn(entities, name) ? (entities[name] ?? whole) : whole
    const code = name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
    const isCharacter = code > 0 && code <= 0x10_ff_ff && (code < 0xd800 || code > 0xdfff)
    return isCharacter ? String.fromCodePoint(code) : whole
  })
}
