import type { Answer } from '../../http/answer.js'
import type { Ask } from '../../http/ask.js'
import { isRow } from '../../is-row.js'
import type { Session } from '../../session/session.js'

/** What a call gave: all items of all pages, or the answer that was none. */
export type CallResult =
  | { readonly kind: 'values'; readonly values: readonly unknown[]; readonly answers: readonly Answer[] }
  | { readonly kind: 'other'; readonly answer: Answer }

const mostPages = 200

/** Calls, and follows next links. A collection comes in an envelope, or as a bare list. */
export async function callResult(ask: Ask, session: Pick<Session, 'ask'>): Promise<CallResult> {
  const values: unknown[] = []
  const answers: Answer[] = []
  const links = new Set<string>()
  let next = ask
  for (;;) {
    const answer = await session.ask(next)
    const page = itemsOf(answer)
    if (page === undefined) return { kind: 'other', answer }
    answers.push(answer)
    values.push(...page)
    const link = isRow(answer.json) ? answer.json['@odata.nextLink'] : undefined
    if (typeof link !== 'string' || link === '') return { kind: 'values', values, answers }
    const path = followed(link, answer.request.url)
    if (path === undefined || links.has(path) || answers.length >= mostPages) return { kind: 'other', answer }
    links.add(path)
    next = { method: 'GET', path }
  }
}

function itemsOf({ status, json }: Answer): readonly unknown[] | undefined {
  if (status !== 200) return undefined
  if (Array.isArray(json)) return json
  const value = isRow(json) ? json['value'] : undefined
  return Array.isArray(value) ? value : undefined
}

/** Only within the service: the credential goes along. */
function followed(link: string, base: string): string | undefined {
  if (!URL.canParse(link, base)) return undefined
  const url = new URL(link, base)
  return url.origin === new URL(base).origin ? url.href : undefined
}
