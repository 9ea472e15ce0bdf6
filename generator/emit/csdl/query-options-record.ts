import type { Condition, QueryCapabilities, Support } from '../../../spec/language/model/index.js'
import { collectionOf, recordOf, someOf } from './annotation-value.js'
import type { AnnotationValue } from './csdl-document.js'
import { saidMembers } from './said.js'

/** The query options of one chapter entry, every default filled in. */
export function queryOptionsRecord(query: QueryCapabilities): AnnotationValue {
  return recordOf([
    ['Name', query.name],
    ['Select', query.select],
    ['Filter', filterRecord(query)],
    ['Orderby', orderbyRecord(query)],
    ['Expand', expandRecord(query)],
    ['Top', topRecord(query)],
    ['Skip', query.skip],
    ['Count', query.count],
    ['Search', searchRecord(query)],
    ['Requires', someOf(query.requires.map(conditionRecord))],
    ...saidMembers(query),
  ])
}

function filterRecord({ filter }: QueryCapabilities): AnnotationValue {
  const properties = Object.entries(filter.properties).map(([path, property]) =>
    recordOf([
      ['Name', path],
      ['Support', property.support],
      ['Operators', property.operators === undefined ? undefined : collectionOf(property.operators)],
      ['Functions', property.functions === undefined ? undefined : collectionOf(property.functions)],
    ]),
  )
  return recordOf([
    ['Support', filter.support],
    ['Operators', supports(filter.operators)],
    ['Functions', supports(filter.functions)],
    ['Lambdas', supports(filter.lambdas)],
    ['Properties', someOf(properties)],
    ['MaxNodes', filter.maxNodes],
  ])
}

function orderbyRecord({ orderby }: QueryCapabilities): AnnotationValue {
  return recordOf([
    ['Support', orderby.support],
    ['Only', orderby.only === undefined ? undefined : collectionOf(orderby.only)],
    ['Properties', supports(orderby.properties)],
    ['MaxKeys', orderby.maxKeys],
  ])
}

function expandRecord({ expand }: QueryCapabilities): AnnotationValue {
  return recordOf([
    ['Support', expand.support],
    ['Relations', supports(expand.relations)],
    ['MaxDepth', expand.maxDepth],
    ['Nested', collectionOf(expand.nested)],
  ])
}

function topRecord({ top }: QueryCapabilities): AnnotationValue {
  return recordOf([
    ['Support', top.support],
    ['Default', top.default],
    ['Max', top.max],
    ['Above', top.above],
    ['Min', top.min],
  ])
}

function searchRecord({ search }: QueryCapabilities): AnnotationValue {
  return recordOf([
    ['Support', search.support],
    ['Syntax', search.syntax],
    ['Join', collectionOf(search.join)],
    ['Properties', collectionOf(search.properties)],
  ])
}

/** Names may be anything, so they are values and no names of members. */
function supports(record: Readonly<Record<string, Support>>): AnnotationValue | undefined {
  return someOf(
    Object.entries(record).map(([name, support]) =>
      recordOf([
        ['Name', name],
        ['Support', support],
      ]),
    ),
  )
}

function conditionRecord(condition: Condition): AnnotationValue {
  return recordOf([
    ['When', collectionOf(condition.when.map(all => all.join('+')))],
    ['Header', condition.header.name],
    ['Value', condition.header.value],
    ['Otherwise', condition.otherwise.name],
    ['Open', condition.open?.name],
    ...saidMembers(condition),
  ])
}
