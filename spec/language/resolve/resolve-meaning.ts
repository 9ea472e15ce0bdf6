import { parseFilter } from '../../../runtime/query/parse/filter.js'
import { parseOrderby } from '../../../runtime/query/parse/orderby.js'
import { QuerySyntaxError } from '../../../runtime/query/query-syntax-error.js'
import type { MeaningDocument } from '../document/index.js'
import type { Meaning } from '../model/operation.js'
import type { StructuredType } from '../model/types.js'
import { type Resolution, refer } from './resolution.js'

/** Resolves `meaning`; its expressions are parsed here and put to the types by a rule of the checker. */
export function resolveMeaning(
  resolution: Resolution,
  document: MeaningDocument,
  pointer: string,
  operation: string,
  binding: StructuredType | undefined,
): Meaning | undefined {
  if (binding === undefined) {
    const message = `A meaning starts from a relation of the item that the operation is bound to; "${operation}" has no \`binding\`.`
    resolution.report({ code: 'spec/meaning-without-binding', message, at: pointer, on: 'key' })
    return undefined
  }
  const of = refer(resolution, {
    kind: 'relation',
    name: document.of,
    at: `${pointer}/of`,
    chapter: `${binding.place.pointer}/navigation`,
    known: new Map(binding.navigation.map(relation => [relation.name, relation])),
  })
  const filter = parsed(resolution, document.filter, `${pointer}/filter`, parseFilter)
  const orderby = parsed(resolution, document.orderby, `${pointer}/orderby`, parseOrderby)
  if (of === undefined) return undefined
  const value =
    document.value === undefined
      ? undefined
      : refer(resolution, {
          kind: 'property',
          name: document.value,
          at: `${pointer}/value`,
          chapter: `${of.type.place.pointer}/properties`,
          known: new Map(of.type.properties.map(property => [property.name, property])),
        })
  return {
    ...resolution.annotations(document, pointer),
    of,
    transitive: document.transitive ?? false,
    ...(filter === undefined ? {} : { filter }),
    ...(orderby === undefined ? {} : { orderby }),
    ...(value === undefined ? {} : { value }),
  }
}

function parsed<T>(
  resolution: Resolution,
  text: string | undefined,
  at: string,
  parse: (text: string) => T,
): T | undefined {
  if (text === undefined) return undefined
  try {
    return parse(text)
  } catch (error) {
    if (!(error instanceof QuerySyntaxError)) throw error
    resolution.report({ code: 'spec/query-syntax', message: error.message, at })
    return undefined
  }
}
