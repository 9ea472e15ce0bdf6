import { permittedValues } from '../../choices/choices.js'
import { isSamePath, onePerEndpoint, type Site } from '../../discover/site.js'
import { isRow, type Row } from '../../json.js'
import { describeResponse, errorFinding, inconclusiveVerdict } from '../../rule/response.js'
import type { ActiveRule } from '../../rule/rule.js'
import type { Session } from '../../session/session.js'

export const singleRelation: ActiveRule = {
  kind: 'asking',
  id: 'single-relation',
  area: 'items',
  statement:
    'The path of a single relation answers with the item it leads to, or as the service does where it leads nowhere.',
  advice: 'What a relation without a target answers is a choice: 404, 204 or null; but it is the same everywhere.',
  clauses: ['navigation.path'],
  covers: ['open.absentRelation', 'endpoint.item'],
  severity: 'must',
  writes: false,
  cost: 1,
  weight: 2,
  sites: ({ sites }) => onePerEndpoint(sites).filter(isSingleRelation),
  cases: () => ({ planned: [{ variant: 'read' }] }),
  check: async (_test, site, session) => {
    const answer = await session.send({ method: 'GET', path: site.path })
    const nothing = inconclusiveVerdict(answer)
    if (nothing !== undefined) return nothing
    const { json } = answer
    const wrong = isRow(json) && json['value'] === undefined ? otherTarget(json, site, session) : undefined
    if (wrong !== undefined) {
      return {
        kind: 'fail',
        finding: {
          message: 'A single relation leads to another item than the one that the property behind it names.',
          expected: wrong.expected,
          received: describeResponse(answer),
          answers: [answer],
          features: ['relation.target'],
        },
      }
    }
    if (answer.status === 200 && isRow(json) && json['value'] !== null) return { kind: 'pass' }
    const shown = absenceShown(answer.status, answer.json)
    const open = permittedValues(
      session,
      'absentRelation',
      String('absent' in site.endpoint ? site.endpoint.absent : 404),
    )
    const refused = shown === '404' ? errorFinding(answer, session.service.faults.itemNotFound, session) : undefined
    if (shown !== undefined && open.includes(shown) && refused === undefined) return { kind: 'pass' }
    return {
      kind: 'fail',
      finding: refused ?? {
        message: 'A single relation is answered as neither an item nor nothing is.',
        expected: `the item, or ${legalAbsences(session).join(' or ')}`,
        received: describeResponse(answer),
        answers: [answer],
        features: ['relation.absent'],
      },
    }
  },
}

/** What the item must be that a relation leads to, where it rests on properties of the one it leads from. */
function otherTarget(target: Row, { endpoint, keys }: Site, session: Session): { expected: string } | undefined {
  const last = endpoint.resolved.at(-1)
  const key = endpoint.resolved.at(-2)
  if (last?.kind !== 'navigation' || key?.kind !== 'key' || last.property.constraint.length === 0) return undefined
  const set = session.sites.find(each => {
    return each.endpoint.kind === 'collection' && isSamePath(each.endpoint.resolved, endpoint.resolved.slice(0, -2))
  })
  const text = key.variables.map(variable => keys[variable] ?? '').join('\u001F')
  const row = set === undefined ? undefined : session.snapshot(set)?.byKey.get(text)
  for (const { dependent, principal } of row === undefined ? [] : last.property.constraint) {
    const wanted = row?.[dependent]
    const shown = target[principal]
    if (wanted === undefined || shown === undefined || String(wanted) === String(shown)) continue
    return { expected: `${principal} ${JSON.stringify(wanted)}, as ${dependent} says` }
  }
  return undefined
}

/** Whether a path ends in a relation to one item. */
export function isSingleRelation({ endpoint }: Site): boolean {
  const last = endpoint.resolved.at(-1)
  return endpoint.kind === 'item' && last?.kind === 'navigation' && !last.property.collection
}

/** Which way of showing that there is nothing an answer is. */
export function absenceShown(status: number, json: unknown): '404' | '204' | 'null' | undefined {
  if (status === 404) return '404'
  if (status === 204) return '204'
  if (status !== 200) return undefined
  return json === null || (isRow(json) && json['value'] === null) ? 'null' : undefined
}

function legalAbsences({ service, choices }: Session): readonly string[] {
  const learned = choices.get('absentRelation')
  const legal = service.open.find(({ name }) => name === 'absentRelation')?.legal ?? [404, 204]
  return learned === undefined ? legal.map(String) : [String(learned)]
}
