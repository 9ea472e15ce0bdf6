import { dateTimeOffsetEnd } from '../../query/lexical/date-time-offset.js'

/** A query string taken apart into what stays when the same question is asked again later, and what moves. */
export interface MovingParts {
  /** All that stays; the same for all queries of one form. */
  readonly form: string
  /** The moments, as literals have them, in the order of the text. */
  readonly moments: readonly string[]
  readonly skiptoken: string | undefined
}

/** A moment in UTC, or where the next page begins; neither can be told from other text before the query is parsed. */
const movingPart = /\d{4}-\d\d-\d\dT\d\d(?::|%3A)\d\d(?:(?::|%3A)\d\d(?:\.\d{1,12})?)?Z|(?<=\$skiptoken=)[\w.~-]+$/gi

const colon = /%3a/gi

/** Takes a raw query string apart; undefined: nothing in it moves, or not in a way that can be told for sure. */
export function movingParts(query: string): MovingParts | undefined {
  if (query === '' || query.includes('\0')) return undefined
  const moments: string[] = []
  let skiptoken: string | undefined
  let form = ''
  let end = 0
  movingPart.lastIndex = 0
  for (let part = movingPart.exec(query); part !== null; part = movingPart.exec(query)) {
    const [text] = part
    form += `${query.slice(end, part.index)}\0`
    end = part.index + text.length
    const moment = text.replaceAll(colon, ':').toUpperCase()
    if (dateTimeOffsetEnd(moment, 0) === moment.length) moments.push(moment)
    else if (end === query.length && skiptoken === undefined) skiptoken = text
    else return undefined
  }
  if (end === 0) return undefined
  return { form: form + query.slice(end), moments, skiptoken }
}
