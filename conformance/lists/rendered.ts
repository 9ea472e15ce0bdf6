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

/** Whether a value is rendered in another form than the one that was written, so that the two cannot be compared. */
export function isRenderedOtherwise(
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
