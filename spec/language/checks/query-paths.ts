import { type Problem, suggest } from '../diagnostics/diagnostic.js'
import { queryUses } from '../model/service.js'
import { type EntityType, followPath, type NavigationProperty, type Property, primitiveOf } from '../model/types.js'
import { memberAt, pointerTo } from '../source/json-pointer.js'
import { type Check, type CheckContext, mayLackMembers } from './check.js'

type Member = Property | NavigationProperty

/**
 * Query options name properties and relations of the items. Options that several types share may name what
 * only one of them has.
 */
export const queryPaths: Check = context => {
  const { service, report } = context
  for (const [capabilities, types] of queryUses(service)) {
    if (types.length === 0 || types.some(type => type.open || mayLackMembers(type, context))) continue
    const { filter, orderby, expand, search, location } = capabilities
    /** What is wrong with the path: a member that no type has as it should be; undefined when one has. */
    const misfit = (
      path: string,
      part: string,
      what: string,
      fits: (member: Member) => boolean,
    ): Member | undefined => {
      const found = membersAt(types, path)
      if (found.length === 0) report(unknown(context, types, path, `${location.pointer}/${part}`, what))
      return found.some(fits) ? undefined : found[0]
    }
    for (const path of Object.keys(filter.properties)) misfit(path, 'filter/properties', 'property', () => true)
    for (const path of [...(orderby.only ?? []), ...Object.keys(orderby.properties)]) {
      const found = misfit(
        path,
        'orderby/properties',
        'property',
        member => path.endsWith('/$count') || isSortable(member),
      )
      if (found === undefined) continue
      const message = `"${path}" is of "${found.type.name}"${found.collection ? ' and a collection' : ''}, so items cannot be ordered by it.`
      report({
        code: 'spec/not-sortable',
        message,
        ...memberSpot(context, `${location.pointer}/orderby/properties`, path),
      })
    }
    for (const path of search.properties) {
      const found = misfit(path, 'search/properties', 'property', ({ type }) => primitiveOf(type) === 'String')
      if (found === undefined) continue
      const message = `"${path}" is of "${found.type.name}". Only text can be searched.`
      report({ code: 'spec/search', message, ...memberSpot(context, `${location.pointer}/search/properties`, path) })
    }
    for (const path of Object.keys(expand.scopes ?? {}))
      misfit(path, 'expand/scopes', 'relation', ({ kind }) => kind === 'navigationProperty')
    // All relations that there are, unless some are named.
    if (memberAt(context.document, `${location.pointer}/expand/relations`) === undefined) continue
    for (const path of Object.keys(expand.relations)) {
      const found = misfit(path, 'expand/relations', 'relation', ({ kind }) => kind === 'navigationProperty')
      if (found === undefined) continue
      const message = `"${path}" is a property, not a relation. It is returned without \`$expand\`.`
      report({
        code: 'spec/not-a-relation',
        message,
        ...memberSpot(context, `${location.pointer}/expand/relations`, path),
      })
    }
  }
}

function membersAt(types: readonly EntityType[], path: string): readonly Member[] {
  return types.flatMap(type => followPath(type, path.replace(/\/\$count$/, '')) ?? [])
}

const isSortable = ({ kind, collection, type }: Member): boolean =>
  kind === 'property' && !collection && (type.kind === 'enumType' || primitiveOf(type) !== undefined)

function unknown(context: CheckContext, types: readonly EntityType[], path: string, at: string, what: string): Problem {
  const names = types.flatMap(type => (what === 'relation' ? type.navigation : type.properties).map(({ name }) => name))
  const of = types.map(type => `"${type.name}"`).join(', ')
  return {
    code: `spec/unknown-${what}`,
    message: `${of} ${types.length > 1 ? 'have' : 'has'} no ${what} "${path}".`,
    suggestion: suggest(path, names),
    ...memberSpot(context, at, path),
  }
}

/** The place of a word: in a list, or as a key. */
function memberSpot({ document }: CheckContext, at: string, word: string): Pick<Problem, 'at' | 'on'> {
  const words = memberAt(document, at)
  return Array.isArray(words) ? { at: pointerTo(at, words.indexOf(word)) } : { at: pointerTo(at, word), on: 'key' }
}
