import { itemRead } from '../../reading/item-read.js'
import { isTag, tagOf } from '../../rules/entity-tags/tag-of.js'
import { firstOfEach } from '../../site/first-of-each.js'
import { type Witness, witnessed } from './legal-value.js'

export const entityTag = witnessed('entityTag', 'no item could be read', async session => {
  const witnesses: Witness[] = []
  const items = firstOfEach(session.sites).filter(({ endpoint, type }) => {
    return endpoint.kind === 'item' && type !== undefined && type.entityTag !== 'none'
  })
  for (const { path, type } of items.slice(0, 2)) {
    const answer = await itemRead(path, type, session)
    if (answer.status !== 200) continue
    const tag = tagOf(answer)
    if (tag !== undefined && !isTag(tag)) continue
    const shown = tag === undefined ? 'none' : tag.startsWith('W/') ? 'weak' : 'strong'
    witnesses.push({ shown, text: `GET ${path} answered with ${tag === undefined ? 'no tag' : `the tag ${tag}`}` })
  }
  return witnesses
})
