import type { Service } from '../../spec/language/index.js'
import type { Answer } from '../http/answer.js'
import type { Session } from '../session/session.js'
import { siteOf } from '../site/site-of.js'

/** Whether there is anything to judge. */
export type Preflight = { readonly kind: 'ready' } | { readonly kind: 'unreachable' | 'refused'; readonly why: string }

/** Paths that are tried before a target is given up. */
const triesMost = 5

/** Asks for a few paths that need nothing known: is somebody there, is the credential accepted, is it such a service? */
export async function preflight({ service, ask }: Pick<Session, 'service' | 'ask'>): Promise<Preflight> {
  const answers: Answer[] = []
  for (const path of pathsToTry(service)) {
    const answer = await ask({ method: 'GET', path })
    if (answer.status === 200 && answer.json !== undefined) return { kind: 'ready' }
    answers.push(answer)
  }
  const last = answers.at(-1)
  if (last === undefined) return { kind: 'ready' }
  if (answers.every(({ trouble }) => trouble !== undefined)) {
    return { kind: 'unreachable', why: `${last.request.url} gave no answer (${last.detail ?? last.trouble}).` }
  }
  if (answers.every(({ status }) => status === 401)) {
    return { kind: 'refused', why: `${last.request.url} answered 401: the credential is missing or not accepted.` }
  }
  if (answers.every(({ status }) => status === 401 || status === 403)) {
    return { kind: 'refused', why: `${last.request.url} answered ${last.status}: the credential allows too little.` }
  }
  const isElsewhere = answers.every(({ status }) => status === 404)
  if (!isElsewhere && answers.some(({ json }) => json !== undefined)) return { kind: 'ready' }
  const type = last.headers['content-type'] ?? 'no content type'
  const what = last.trouble ?? `${last.status}, ${type}`
  return { kind: 'unreachable', why: `${last.request.url} answered ${what}: there is no such service.` }
}

/** From different roots first: whoever asks may have no mailbox and no drive where there are users all the same. */
function pathsToTry({ endpoints }: Service): readonly string[] {
  const paths = endpoints.flatMap(endpoint => {
    if (endpoint.method !== 'GET' || endpoint.kind === 'call' || endpoint.keys.length > 0) return []
    return siteOf(endpoint)?.path ?? []
  })
  const isFirst = (path: string, index: number): boolean =>
    paths.findIndex(other => rootOf(other) === rootOf(path)) === index
  const first = paths.filter(isFirst)
  return [...first, ...paths.filter(path => !first.includes(path))].slice(0, triesMost)
}

function rootOf(path: string): string {
  return path.split('/')[1] ?? ''
}
