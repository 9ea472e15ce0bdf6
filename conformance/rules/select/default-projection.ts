import { permittedValues } from '../../choices/choices.js'
import { keyOf } from '../../discover/site.js'
import { selectedNames, unselectedProperties } from '../../lists/properties.js'
import { rowsIn } from '../../lists/read-rows.js'
import type { PassiveRule } from '../../rule/rule.js'

/** Only if the spec does not leave the default projection open. @see OData Protocol 4.01, 11.2.5.1 */
export const defaultProjection: PassiveRule = {
  kind: 'passive',
  id: 'default-projection',
  area: 'select',
  statement:
    'Without $select, the response has all properties except those that the interface returns only on request.',
  advice:
    'Long or expensive properties are declared as returned on request. Clients expect all other properties by default.',
  aspects: ['select.unselected'],
  covers: ['select'],
  severity: 'should',
  inspect: (response, site, session) => {
    if (
      site?.type === undefined ||
      response.testRequest.path !== site.path ||
      response.testRequest.options?.select !== undefined
    ) {
      return undefined
    }
    const isClosed = !session.service.open.some(({ name }) => name === 'defaultProjection')
    if (!isClosed || !permittedValues(session, 'defaultProjection', 'all').isOnly('all')) return undefined
    const onDemand = site.type.properties.filter(({ returned }) => returned === 'onSelect').map(({ name }) => name)
    const rows = rowsIn(response, site)
    if (rows.length === 0 || onDemand.length === 0) return undefined
    const shown = onDemand.find(name => rows.some(row => row[name] !== undefined && row[name] !== null))
    if (shown === undefined) return 'seen'
    return {
      message: `${shown} is returned without $select, although it is declared to be returned only if selected.`,
      expected: `no ${shown}`,
      received: `${shown}: ${JSON.stringify(rows.find(row => row[shown] !== null)?.[shown])?.slice(0, 80)}`,
      answers: [response],
      features: ['select', 'onSelect'],
    }
  },
}

/** @see OData Protocol 4.01, 11.2.5.1 */
export const unselectedAbsent: PassiveRule = {
  kind: 'passive',
  id: 'unselected-absent',
  area: 'select',
  statement: 'If a request has $select, the response omits unselected properties.',
  advice: 'Apply $select where you write items, for lists and single items alike, whatever the other options are.',
  aspects: ['select.properties', 'select.unselected'],
  covers: ['select'],
  severity: 'must',
  inspect: (response, site, session) => {
    const { path, options, rawQuery } = response.testRequest
    if (site?.type === undefined || path !== site.path || rawQuery !== undefined || options?.select === undefined) {
      return undefined
    }
    const rows = rowsIn(response, site)
    if (rows.length === 0) return undefined
    const selected = selectedNames(options.select)
    for (const row of rows) {
      const [shown] = unselectedProperties(row, selected, site.type, session)
      if (shown === undefined) continue
      const key = keyOf(row, site.type)
      return {
        message: `${shown} is returned, although $select omits it.`,
        expected: `${[...selected].join(', ')} and nothing else`,
        received: `${shown}: ${JSON.stringify(row[shown])?.slice(0, 80)}`,
        ...(key === undefined ? {} : { surplus: [key] }),
        answers: [response],
        features: ['select', site.endpoint.kind === 'item' ? 'item' : 'shown'],
      }
    }
    return 'seen'
  },
}
