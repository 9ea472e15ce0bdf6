import type { EntityType, Preference, QueryCapabilities } from '../../../spec/language/model/index.js'
import { typeIdentifier } from '../../names/identifier.js'
import { annotatedDocs } from '../annotated-docs.js'
import type { ClientFile } from './client-file.js'
import { expandsFrom, nestedQueryText, noQueryText, type QueryTypeText, queryTypeText } from './query-type-text.js'

/** One type of what endpoints allow of the query language, as `templates/client.hbs` shows it. */
export interface QueryTypeView extends QueryTypeText {
  readonly docs: readonly string[]
  readonly name: string
}

/** The types of queries that a client declares, each once however many endpoints share it. */
export interface QueryTypes {
  /**
   * The name of the type for an endpoint's queries.
   *
   * @param endpoint start of the names of the endpoint's own types
   */
  nameOf(
    query: QueryCapabilities | undefined,
    type: EntityType,
    preferences: readonly Preference[],
    endpoint: string,
  ): string
  /** Those that were asked for, in that order, and then what these refer to. */
  views(): readonly QueryTypeView[]
}

export function queryTypes(file: ClientFile): QueryTypes {
  const asked: QueryTypeView[] = []
  const nested: QueryTypeView[] = []
  const known = new Map<string, string>()
  const noQuery = file.scope.claim('NoQuery', '_')
  let usesNoQuery = false

  /** Declares a type unless one like it is declared among those of its purpose. */
  const declare = (
    text: QueryTypeText,
    purpose: string,
    [wanted, otherwise]: readonly [string, string],
    docs: string,
    into: QueryTypeView[],
  ): string => {
    const content = JSON.stringify([purpose, text])
    const declared = known.get(content)
    if (declared !== undefined) return declared
    const name = file.scope.claim(file.scope.taken.has(wanted) ? otherwise : wanted, '_')
    known.set(content, name)
    into.push({ docs: [docs], name, ...text })
    return name
  }
  const none = (): string => {
    usesNoQuery = true
    return noQuery
  }
  const nestedName = (query: QueryCapabilities, depth: number): string => {
    const { support, nested: options } = query.expand
    if (support === 'none' || options.length === 0) return none()
    const text = nestedQueryText(query, depth, expandsFrom(query, depth) ? nestedName(query, depth + 1) : none(), file)
    if (options.length === 1 && options[0] === 'select') {
      return declare(text, '', ['SelectOnly', 'SelectOnlyQuery'], 'Takes `select` alone.', nested)
    }
    const name = `${typeIdentifier(query.name)}Expanded${depth === 1 ? '' : depth}`
    return declare(text, '', [name, `${name}Query`], `What ${query.name} allows in what it expands.`, nested)
  }

  return {
    nameOf(query, type, preferences, endpoint) {
      if (query === undefined && preferences.length === 0) return none()
      if (query === undefined) {
        const name = `${endpoint}Query`
        return declare(noQueryText(none(), preferences), 'preferences', [name, name], 'Preferences only.', asked)
      }
      const text = queryTypeText(query, type, preferences, nestedName(query, 1), file)
      const docs = [query.name, ...annotatedDocs(query)].join(query.description === undefined ? ' ' : ': ')
      const name = typeIdentifier(query.name) || endpoint
      return declare(text, query.name, [name, `${endpoint}Query`], docs, asked)
    },
    views: () => [
      ...asked,
      ...nested,
      ...(usesNoQuery ? [{ docs: ['No query options.'], name: noQuery, ...noQueryText(noQuery, []) }] : []),
    ],
  }
}
