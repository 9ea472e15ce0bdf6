import { absenceShown, isSingleRelation } from '../../rules/items/single-relation.js'
import { witnessed } from './legal-value.js'

/** Addresses asked at most. */
const most = 3

export const absentRelation = witnessed('absentRelation', 'every single relation leads to an item', async session => {
  const witnesses = []
  for (const site of session.sites.filter(isSingleRelation).slice(0, most)) {
    const { status, json, trouble } = await session.ask({ method: 'GET', path: site.path })
    const shown = trouble === undefined ? absenceShown(status, json) : undefined
    if (shown === undefined) continue
    witnesses.push({ shown, text: `GET ${site.path} answered ${shown === 'null' ? 'null' : status}` })
    break
  }
  return witnesses
})
