import { permittedValues } from '../../choices/choices.js'
import { rowsIn } from '../../lists/read-rows.js'
import type { PassiveRule } from '../../rule/rule.js'

/** C9, where a spec leaves no choice: what comes without `$select`. */
export const defaultProjection: PassiveRule = {
  kind: 'watching',
  id: 'default-projection',
  area: 'select',
  statement:
    'Without $select all properties are returned but those that the interface returns only when they are selected.',
  advice: 'Long or costly properties are declared to come on demand; the others callers expect without asking.',
  clauses: ['select.unselected'],
  covers: ['select'],
  severity: 'should',
  inspect: (answer, site, session) => {
    if (
      site?.type === undefined ||
      answer.testRequest.path !== site.path ||
      answer.testRequest.options?.select !== undefined
    ) {
      return undefined
    }
    const isClosed = !session.service.open.some(({ name }) => name === 'defaultProjection')
    if (!isClosed || !permittedValues(session, 'defaultProjection', 'all').isOnly('all')) return undefined
    const onDemand = site.type.properties.filter(({ returned }) => returned === 'onSelect').map(({ name }) => name)
    const rows = rowsIn(answer, site)
    if (rows.length === 0 || onDemand.length === 0) return undefined
    const shown = onDemand.find(name => rows.some(row => row[name] !== undefined && row[name] !== null))
    if (shown === undefined) return 'seen'
    return {
      message: `${shown} comes without $select, though it is returned only when it is selected.`,
      expected: `no ${shown}`,
      received: `${shown}: ${JSON.stringify(rows.find(row => row[shown] !== null)?.[shown])?.slice(0, 80)}`,
      answers: [answer],
      features: ['select', 'onSelect'],
    }
  },
}
