import { suggest } from '../diagnostics/suggest.js'
import { isPrimitiveTypeName } from '../model/is-primitive-type-name.js'
import { type PrimitiveTypeName, primitiveTypeNames } from '../model/primitive-type-name.js'
import type { ValueType } from '../model/types.js'
import { pointerTo } from '../source/pointer.js'
import type { Resolution } from './resolution.js'
import type { NamedType } from './resolve-types.js'

const primitives: ReadonlyMap<PrimitiveTypeName, ValueType> = new Map(
  primitiveTypeNames.map(name => [name, { kind: 'primitive', name }]),
)

/** The type that a property, parameter or result names. An unknown one is reported. */
export function referToValueType(
  resolution: Resolution,
  name: string,
  at: string,
  all: ReadonlyMap<string, NamedType>,
): ValueType | undefined {
  const found = isPrimitiveTypeName(name) ? primitives.get(name) : all.get(name)
  if (found === undefined) reportUnknown(resolution, name, at, [...primitiveTypeNames, ...all.keys()])
  return found
}

/** The primitive type that a type definition names. Another one is reported. */
export function referToPrimitive(resolution: Resolution, name: string, at: string): PrimitiveTypeName | undefined {
  if (isPrimitiveTypeName(name)) return name
  reportUnknown(resolution, name, at, primitiveTypeNames)
  return undefined
}

function reportUnknown(resolution: Resolution, name: string, at: string, known: readonly string[]): void {
  if (resolution.isIncomplete(pointerTo('/resources', name))) return
  const unqualified = name.startsWith('Edm.') ? name.slice('Edm.'.length) : name
  const suggestion = known.includes(unqualified) ? unqualified : suggest(unqualified, known)
  const declare = suggestion === undefined ? ' Declare it under `resources`, or name a primitive type of CSDL.' : ''
  resolution.report({ code: 'spec/unknown-type', message: `There is no type "${name}".${declare}`, at, suggestion })
}
