import type { Answer } from '../../http/answer.js'
import { isRow } from '../../is-row.js'
import type { Row } from '../../json.js'
import { openTo } from '../../reading/choice-of.js'
import { isSameValue } from '../../reading/same-value.js'
import { describeAnswer } from '../../rule/describe-answer.js'
import { untold } from '../../rule/untold.js'
import type { Finding } from '../../rule/verdict.js'
import type { Session } from '../../session/session.js'
import { eventually } from './eventually.js'
import type { Body } from './new-body.js'
import type { WriteSite } from './write-sites.js'

/** Lines that tell which values an item shows that it should not. */
export function valueProblems(
  row: Row,
  expected: Row,
  { type }: Pick<WriteSite, 'type'>,
  session: Pick<Session, 'service' | 'choices'>,
): readonly string[] {
  const mayLeaveOut = openTo(session, 'defaultProjection', 'all').may('limited')
  const mayTrim = openTo(session, 'trailingSpaces', 'distinct').may('folded')
  return type.properties.flatMap(property => {
    const { name, nullable, collection } = property
    if (!Object.hasOwn(expected, name)) {
      const isFalse = row[name] === null && !nullable && !collection
      return isFalse ? [`${name}: null shown, which it cannot be`] : []
    }
    if (mayTrim && trimmed(expected[name]) !== undefined && trimmed(expected[name]) === trimmed(row[name])) return []
    const isAbsent = !Object.hasOwn(row, name)
    const wanted = expected[name]
    const mayBeAbsent = wanted === null || mayLeaveOut || property.returned === 'onSelect'
    if (isAbsent ? mayBeAbsent : isSameValue(wanted, row[name], property)) return []
    return [`${name}: ${JSON.stringify(wanted)} expected, ${isAbsent ? 'nothing' : JSON.stringify(row[name])} shown`]
  })
}

function trimmed(value: unknown): string | undefined {
  return typeof value === 'string' ? value.trim() : undefined
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
    last = judged(answer, expected, site, session, message, features)
    return last.kind === 'wrong' ? last : undefined
  }, session)
  return last
}

function judged(
  answer: Answer,
  expected: Row,
  site: WriteSite,
  session: Session,
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
  const why = valueProblems(answer.json, expected, site, session)
  if (why.length === 0) return { kind: 'right', answer, row: answer.json }
  const finding = { message, expected: 'the item as it was written', received, why, answers: [answer], features }
  return { kind: 'wrong', finding }
}
