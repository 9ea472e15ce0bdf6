import { JsonText, type PreferenceValues, type Route } from '../../runtime/server/index.js'
import type { ComplexType, EntityType } from '../../spec/language/index.js'
import type { Store } from '../store/store.js'
import { defineMember, isObject } from '../store/value/json-object.js'
import { htmlOf, textOf } from './html-text.js'

/** Brings an item to the form that the caller prefers. */
export type ContentAdapter = (entity: Record<string, unknown>) => void

/** What brings items to the form that a caller prefers; undefined: they are as preferred. */
export type ContentAdapters = (prefer: PreferenceValues) => ContentAdapter | undefined

/** A preference for the type of a content: `body/contentType` says what `body/content` is. */
interface ContentPreference {
  /** In the header. */
  readonly name: string
  /** The complex property, and its members that hold the type and the content. */
  readonly property: string
  readonly typeMember: string
  readonly contentMember: string
}

/**
 * Prepares what the preferences of a route ask for: where one names a member that says `text` or `html` of a content beside
 * it, the content is sent as that.
 */
export function contentAdapters(route: Route, type: EntityType, store: Store): ContentAdapters {
  const preferences = route.preferences.flatMap(name => contentPreference(name, type, store))
  return prefer => {
    if (!preferences.some(({ name }) => prefer[name] !== undefined)) return undefined
    return entity => {
      for (const preference of preferences) {
        const wanted = prefer[preference.name]
        if (wanted !== undefined) adapt(entity, preference, wanted)
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

/** The one text beside a member that says of what type it is. */
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
  wanted: string,
): void {
  const given = Object.hasOwn(entity, property) ? entity[property] : undefined
  const value = given instanceof JsonText ? given.toJSON() : given
  if (!isObject(value) || value[typeMember] === wanted) return
  const content = value[contentMember]
  if (typeof content !== 'string') return
  const converted = wanted === 'text' ? textOf(content) : htmlOf(content)
  defineMember(entity, property, { ...value, [typeMember]: wanted, [contentMember]: converted })
}
