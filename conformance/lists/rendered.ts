import type { Property, Service } from '../../spec/language/index.js'
import { isRow } from '../json.js'

type WithPreferences = Pick<Service, 'preferences'>

/**
 * The top-level properties whose representation depends on a preference, such as a body that is text or HTML. A service
 * may store them in another form than it shows, and filter and sort by the stored form.
 */
export function renderedProperties({ preferences }: WithPreferences): ReadonlySet<string> {
  return new Set(preferences.flatMap(({ property }) => property?.split('/')[0] ?? []))
}

/**
 * Whether a value may be another rendering of the one that was written: it has another form, or the same plain text with
 * other markup.
 */
export function isRenderedOtherwise(
  property: Property,
  written: unknown,
  shown: unknown,
  of: WithPreferences,
): boolean {
  if (isInOtherForm(property, written, shown, of)) return true
  return renderedProperties(of).has(property.name) && plainText(written) === plainText(shown)
}

/** Whether a value has another form than the one that was written, such as HTML instead of text. */
export function isInOtherForm(
  { name }: Property,
  written: unknown,
  shown: unknown,
  { preferences }: WithPreferences,
): boolean {
  return preferences.some(({ property = '' }) => {
    const [first, ...rest] = property.split('/')
    return first === name && memberAt(written, rest) !== memberAt(shown, rest)
  })
}

function memberAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, name) => (isRow(at) && Object.hasOwn(at, name) ? at[name] : undefined), value)
}

/** The text of a value without markup, as a reader sees it. */
function plainText(value: unknown): string {
  const text = JSON.stringify(value, (_key, member) =>
    isRow(member) ? Object.fromEntries(sortedEntries(member)) : member,
  )
  const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '\\"', '#39': "'", nbsp: ' ' }
  return (text ?? '')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(lt|gt|amp|quot|#39|nbsp);/g, (_, name: string) => entities[name] ?? '')
    .replaceAll(/<[^>]*>|\\[rnt]|\s/g, '')
}

function sortedEntries(row: object): readonly (readonly [string, unknown])[] {
  return Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1))
}
