import type { Answer } from '../../http/answer.js'
import { isRow } from '../../is-row.js'
import type { Row } from '../../json.js'
import { isSameValue } from '../../reading/same-value.js'
import { describeAnswer } from '../../rule/describe-answer.js'
import { untold } from '../../rule/untold.js'
import type { Finding } from '../../rule/verdict.js'
import type { Session } from '../../session/session.js'
import { eventually } from './eventually.js'
import type { Body } from './new-body.js'
import type { WriteSite } from './write-sites.js'

/** Lines that tell which values an item shows that it should not. A property that it does not show is not looked at. */
export function valueProblems(row: Row, expected: Row, { type }: WriteSite): readonly string[] {
  return type.properties.flatMap(property => {
    const { name } = property
    if (!Object.hasOwn(expected, name)) return []
    const isAbsent = !Object.hasOwn(row, name)
    const wanted = expected[name]
    if (isAbsent ? wanted === null || property.returned === 'onSelect' : isSameValue(wanted, row[name], property)) {
      return []
    }
    return [`${name}: ${JSON.stringify(wanted)} expected, ${isAbsent ? 'nothing' : JSON.stringify(row[name])} shown`]
  })
}

/** What is expected of an item after a create: what was sent, and the defaults of the rest. */
export function createdValues(sent: Body, { type }: WriteSite): Row {
  const defaults = type.properties.flatMap(({ name, default: initial, computed, assumed }) => {
    return initial === undefined || computed || assumed !== undefined ? [] : [[name, initial] as const]
  })
  return { ...Object.fromEntries(defaults), ...sent }
}

/** What a read of an item came to. */
export type ItemReading =
  | { readonly kind: 'right'; readonly answer: Answer; readonly row: Row }
  | { readonly kind: 'wrong'; readonly finding: Finding }
  | { readonly kind: 'untold'; readonly why: string }

/**
 * Reads an item until it shows what is expected, as long as the service may take.
 *
 * @param features of the finding when it does not
 */
export async function readExpected(
  path: string,
  expected: Row,
  site: WriteSite,
  session: Session,
  message: string,
  features: readonly string[],
): Promise<ItemReading> {
  let last: ItemReading = { kind: 'untold', why: 'it was not read' }
  await eventually(async () => {
    const answer = await session.ask({ method: 'GET', path })
    last = judged(answer, expected, site, message, features)
    return last.kind === 'wrong' ? last : undefined
  }, session)
  return last
}

function judged(
  answer: Answer,
  expected: Row,
  site: WriteSite,
  message: string,
  features: readonly string[],
): ItemReading {
  const nothing = untold(answer)
  if (nothing !== undefined) return { kind: 'untold', why: nothing.why }
  const received = describeAnswer(answer)
  if (answer.status !== 200 || !isRow(answer.json)) {
    const finding = { message, expected: 'status 200 with the item', received, answers: [answer], features }
    return { kind: 'wrong', finding }
  }
  const why = valueProblems(answer.json, expected, site)
  if (why.length === 0) return { kind: 'right', answer, row: answer.json }
  const finding = { message, expected: 'the item as it was written', received, why, answers: [answer], features }
  return { kind: 'wrong', finding }
}
