import type { Expression } from '../ast.js'
import type { TypeTable } from '../schema.js'
import type { BindingScope } from './binding-scope.js'
import type { Frame } from './frame.js'
import { namedType, untyped } from './static-type.js'

/** The frame of a whole query on items of a type. */
export function queryFrame(
  types: TypeTable,
  typeName: string,
  scope: BindingScope,
  aliases: Readonly<Record<string, Expression>>,
): Frame {
  const item = namedType(typeName, types) ?? untyped
  return {
    types,
    scope,
    aliases,
    option: '$filter',
    it: item,
    current: item,
    variables: new Map(),
    computed: new Map(),
    aliasTypes: new Map(),
    itemTypes: new Map(),
    run: { errors: [], resolving: new Set(), depth: 0 },
  }
}
