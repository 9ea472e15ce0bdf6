import { send } from './call.js'
import type { CallOptions } from './call-options.js'
import type { Connection, HeaderList } from './connection.js'
import type { DeltaPage } from './delta.js'
import { resolveLink } from './link.js'
import { type Paged, paged } from './paged.js'
import type { ServiceError } from './service-error.js'

/** A page as it is sent. @see OData JSON Format 4.01, 4.5 (control information) */
interface PageBody {
  readonly value: readonly never[]
  readonly '@odata.count'?: number
  readonly '@odata.nextLink'?: string
  readonly '@odata.deltaLink'?: string
}

/**
 * The pages of a list from the first on. Their items are `never`: the runtime claims nothing about them, the type of the
 * operation does.
 */
export const readPages = <Code extends string>(
  connection: Connection,
  first: string,
  options: CallOptions,
  headers: HeaderList,
): Paged<never, ServiceError<Code>, DeltaPage<never>> =>
  paged(first, url =>
    send(connection, { method: 'GET', url, options, headers }, (body: PageBody) => {
      const absolute = (link: string | undefined): string | undefined => link && resolveLink(link, url)
      return {
        value: body.value,
        count: body['@odata.count'],
        nextLink: absolute(body['@odata.nextLink']),
        deltaLink: absolute(body['@odata.deltaLink']),
      }
    }),
  )
