/**
 * Checks before the measurement that contestants give equal responses: the same items in the same order, by their keys, or
 * the same number. If not, throws with both responses.
 *
 * @param {readonly Entered[]} entered
 * @param {readonly import('./workloads.mjs').Asked[]} requests
 *
 * @typedef {object} Entered
 * @property {import('./contestants/contestant.mjs').Contestant} contestant
 * @property {import('./contestants/started.mjs').Running} running
 */
export async function requireSameAnswers([first, ...others], requests) {
  for (const asked of requests) {
    const expected = essence(await answered(first, asked))
    for (const other of others) {
      const found = essence(await answered(other, asked))
      if (found === expected) continue
      const { method, path } = asked
      throw new Error(
        `${method} ${path}: ${first.contestant.name} answers ${expected}, ${other.contestant.name} answers ${found}`,
      )
    }
  }
}

/** Sends one request, and reads the response. */
export async function answered({ contestant, running }, asked) {
  const { method, target, headers, body } = prepared(contestant, asked)
  const response = await fetch(running.origin + target, {
    method,
    headers: { accept: 'application/json', ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${contestant.name}: ${response.status} to ${method} ${target}\n${text}`)
  return JSON.parse(text)
}

/** A request in the form of a contestant, for the load driver. */
export function prepared({ target, headers, body }, asked) {
  return {
    method: asked.method,
    target: target(asked),
    headers,
    ...(asked.body === undefined ? {} : { body: JSON.stringify(body(asked.body)) }),
  }
}

function essence(answer) {
  if (typeof answer === 'number') return String(answer)
  const keys = Array.isArray(answer.value) ? answer.value.map(({ id }) => id) : [answer.subject ?? answer.id]
  return [answer['@odata.count'] ?? '', ...keys].join(' ')
}
