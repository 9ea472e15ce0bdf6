import type { Preference } from '../model/service.js'
import { pointerTo } from '../source/pointer.js'
import type { Resolution } from './resolution.js'

/** Resolves the chapter `preferences`. */
export function resolvePreferences(resolution: Resolution): ReadonlyMap<string, Preference> {
  return new Map(
    Object.entries(resolution.document.preferences ?? {}).map(([id, document]) => {
      const { ref, description, assumed, ...own } = document
      return [id, { ...resolution.annotations(document, pointerTo('/preferences', id)), id, ...own }]
    }),
  )
}
