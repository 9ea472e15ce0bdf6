import { isRefusal } from '../../rule/refusal.js'
import { unknownOptionQuery } from '../../rules/errors/unknown-option.js'
import { firstOfEach } from '../../site/first-of-each.js'
import { type Witness, witnessed } from './legal-value.js'

export const unknownOption = witnessed('unknownOption', 'no collection could be asked', async session => {
  const witnesses: Witness[] = []
  const collections = firstOfEach(session.sites).filter(({ endpoint }) => endpoint.kind === 'collection')
  for (const { path } of collections.slice(0, 2)) {
    const answer = await session.ask({ method: 'GET', path, rawQuery: unknownOptionQuery })
    const shown = answer.status === 200 ? 'ignored' : isRefusal(answer, session) ? 'error' : undefined
    if (shown !== undefined) {
      witnesses.push({ shown, text: `GET ${path}?${unknownOptionQuery} answered ${answer.status}` })
    }
  }
  return witnesses
})
