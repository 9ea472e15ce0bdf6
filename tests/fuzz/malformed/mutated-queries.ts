import type { Random } from '../random.js'
import { type RawRequest, rawMessage, rawRequest } from '../wire.js'

const advanced = { ConsistencyLevel: 'eventual' }

/** Sound questions that use most of what there is. */
const questions = [
  "/users?$filter=startsWith(displayName,'A') and not (jobTitle eq null)&$orderby=displayName desc,id&$top=3&$count=true",
  '/users?$filter=assignedLicenses/any(x:x/skuId eq 6fd2c87f-b296-42f0-b197-1e91e994b900)&$select=id,displayName',
  '/users?$search="displayName:kim" OR "mail:a"&$expand=manager($select=displayName)',
  "/users/$count?$filter=contains(displayName,'a')",
  '/users/delta?$select=displayName&$deltatoken=latest',
  '/me/messages?$filter=receivedDateTime ge 2024-01-01T00:00:00Z and isRead eq false&$orderby=receivedDateTime',
  '/me/messages?$expand=attachments($select=name),singleValueExtendedProperties&$skip=2&$top=2',
  '/me/messages/msg-01?$select=subject,body,from&$expand=attachments',
  "/me/messages('msg-01')",
  '/drive/items/folder-root/children?$expand=thumbnails&$filter=size gt 10',
  "/groups/product/members?$filter=tolower(displayName) ge 'm'&$count=true",
  "/me/reminderView(startDateTime='2026-03-01T00:00:00Z',endDateTime='2026-03-04T00:00:00Z')",
  "/users?$filter=displayName eq @name&@name='Kim'",
  '/$metadata?$format=json',
] as const

/** A sound question of whose bytes a few were changed, left out, doubled or put elsewhere. Some are sound again. */
export function mutatedQuery(random: Random): RawRequest {
  const headers = {
    ...advanced,
    prefer: 'body-content-type="text", maxpagesize=2',
    'if-none-match': 'W/"1", "2"',
    accept: 'application/json;odata.metadata=minimal, */*;q=0.1',
  }
  let bytes = rawRequest({ path: random.pick(questions), headers }).bytes
  for (let change = 0; change < 1 + random.below(4); change++) {
    // Behind the method: that stays what it was, so that nothing can be changed by what comes out.
    const at = 4 + random.below(bytes.length - 8)
    const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)]
    const piece = bytes.subarray(at, at + 1 + random.below(8))
    const changed = [
      [before, random.bytes(1), after.subarray(1)],
      [before, after.subarray(1 + random.below(4))],
      [before, piece, after],
      [
        before,
        Buffer.from(random.pick(["'", '%', '(', ')', ',', '&', '=', '$', '\r\n', '\0', '%27', '%2', '"', ' ', '+'])),
        after,
      ],
    ][random.below(4)]
    bytes = Buffer.concat(changed ?? [bytes])
  }
  return rawMessage(Buffer.concat([bytes, Buffer.from('\r\n\r\n')]), 'harmless')
}
