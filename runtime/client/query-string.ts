import type { CallOptions } from './call-options.js'
import { filterBuilder } from './filter.js'
import type { LiteralFormat, LiteralFormats } from './literal.js'
import { searchText } from './search.js'

/** Query options by name without `$`, each as its text, not yet encoded. */
export type OptionTexts = readonly (readonly [name: string, text: string])[]

/**
 * The query options that were given.
 *
 * @see OData 4.01 URL Conventions, 5.1 (system query options)
 */
export const queryOptions = (options: CallOptions, formats?: LiteralFormat | LiteralFormats): OptionTexts => {
  const given: readonly (readonly [name: string, text: unknown])[] = [
    ['select', options.select],
    ['filter', options.filter?.(filterBuilder(formats))?.text],
    ['orderby', options.orderby],
    ['expand', options.expand && expandText(options.expand, formats)],
    ['top', options.top],
    ['skip', options.skip],
    ['count', options.count],
    ['search', options.search && searchText(options.search)],
  ]
  // An empty list says nothing, and an option without text would be refused.
  return given.map(([name, text]) => [name, `${text ?? ''}`] as const).filter(([, text]) => text)
}

const expandText = (relations: NonNullable<CallOptions['expand']>, formats?: LiteralFormat | LiteralFormats): string =>
  Object.entries(relations)
    .filter(([, options]) => options)
    .map(([name, options]) => {
      const nested = options === true || !options ? [] : queryOptions(options, formatsOf(formats, name))
      return nested.length ? `${name}(${nested.map(([option, text]) => `$${option}=${text}`).join(';')})` : name
    })
    .join()

export const queryString = (options: OptionTexts): string =>
  options.length ? `?${options.map(([name, text]) => `$${name}=${encodeURIComponent(text)}`).join('&')}` : ''

/** The formats of a related type. */
const formatsOf = (
  formats: LiteralFormat | LiteralFormats | undefined,
  name: string,
): LiteralFormat | LiteralFormats | undefined =>
  typeof formats === 'object' && Object.hasOwn(formats, name) ? formats[name] : undefined
