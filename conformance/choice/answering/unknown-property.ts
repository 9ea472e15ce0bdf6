import { isRefusal } from '../../rule/refusal.js'
import { unknownPropertyQueries } from '../../rules/errors/unknown-property.js'
import { firstOfEach } from '../../site/first-of-each.js'
import { type Witness, witnessed } from './legal-value.js'

export const unknownProperty = witnessed('unknownProperty', 'no collection could be asked', async session => {
  const witnesses: Witness[] = []
  const collections = firstOfEach(session.sites).filter(({ endpoint }) => endpoint.kind === 'collection')
  for (const site of collections.slice(0, 1)) {
    for (const [name, options] of Object.entries(unknownPropertyQueries(site))) {
      const answer = await session.ask({ method: 'GET', path: site.path, options })
      const shown = answer.status === 200 ? 'ignored' : isRefusal(answer, session) ? 'error' : undefined
      if (shown === undefined) continue
      witnesses.push({ shown, text: `GET ${site.path} with an unknown name in $${name} answered ${answer.status}` })
    }
  }
  return witnesses
})
