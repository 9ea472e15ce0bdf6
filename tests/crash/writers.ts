import { listOf, memberOf, sendRequest, thingOf } from './thing-client.js'
import type { ItemState, WriteHistory } from './write-history.js'

/**
 * Creates items, changes both of their texts, and deletes every third, until the service does not respond. Every fourth item is
 * created together with two others in a batch.
 */
export async function writeUntilKilled(url: string, lane: string, ledger: WriteHistory): Promise<void> {
  const write = async (method: 'POST' | 'PATCH' | 'DELETE', id: string, state: ItemState): Promise<boolean> => {
    ledger.attempt(id, state)
    const path = method === 'POST' ? '/things' : `/things/${id}`
    const sent = method === 'POST' ? { id, ...textsOf(id, state) } : textsOf(id, state)
    const answer = await sendRequest(url + path, method, method === 'DELETE' ? undefined : sent)
    if (answer !== undefined) ledger.acknowledge(id, state)
    return answer !== undefined
  }
  for (let count = 0; ; count++) {
    const id = `${lane}-${count}`
    const isMade = count % 4 === 3 ? await makeInBatch(url, id, ledger) : await write('POST', id, 'created')
    if (!isMade || !(await write('PATCH', id, 'changed'))) return
    if (count % 3 === 0 && !(await write('DELETE', id, 'deleted'))) return
  }
}

async function makeInBatch(url: string, id: string, ledger: WriteHistory): Promise<boolean> {
  const ids = [id, `${id}-a`, `${id}-b`]
  for (const each of ids) ledger.attempt(each, 'created')
  const requests = ids.map(each => ({
    id: each,
    method: 'POST',
    url: '/things',
    body: { id: each, ...textsOf(each, 'created') },
  }))
  const answer = await sendRequest(`${url}/$batch`, 'POST', { requests })
  if (answer === undefined) return false
  const statuses = new Map(
    listOf(answer.json, 'responses').map(each => [String(memberOf(each, 'id')), memberOf(each, 'status')]),
  )
  for (const each of ids) if (statuses.get(each) === 201) ledger.acknowledge(each, 'created')
  const other = [...statuses.values()].find(status => status !== 201 && status !== 503)
  if (other !== undefined) throw new Error(`In a batch: ${JSON.stringify(answer.json)}`)
  return statuses.get(id) === 201
}

/** Both texts: the state and the identifier, whose parts are searchable words. */
function textsOf(id: string, state: ItemState): Readonly<Record<string, string>> {
  const text = `${state} ${id}`
  return { name: text, note: text }
}

/** How often an item was incremented. */
export interface IncrementCounts {
  acknowledged: number
  /** Sent, but not answered. */
  unanswered: number
}

/** Increments an item with the precondition that no other client has changed it, until the service does not respond. */
export async function incrementUntilKilled(url: string, id: string, counted: IncrementCounts): Promise<void> {
  for (;;) {
    const read = await sendRequest(`${url}/things/${id}`, 'GET')
    if (read === undefined) return
    const { count, tag } = thingOf(read.json)
    const answer = await sendRequest(`${url}/things/${id}`, 'PATCH', { count: count + 1 }, { 'if-match': tag })
    if (answer === undefined) {
      counted.unanswered++
      return
    }
    if (answer.status !== 412) counted.acknowledged++
  }
}
