import type { Conditions } from './conditions.js'
import type { Connection } from './connection.js'
import type { DeltaPage } from './delta.js'
import { resolveLink } from './link.js'
import type { LiteralFormats } from './literal.js'
import { callOf } from './operation.js'
import { type Paged, paged } from './paged.js'
import type { PathTemplate } from './path-template.js'
import { send } from './send.js'
import type { ServiceError } from './service-error.js'

/** A page as it is sent. @see OData JSON Format 4.01, 4.5 (control information) */
interface PageBody {
  readonly value: readonly never[]
  readonly '@odata.count'?: number
  readonly '@odata.nextLink'?: string
  readonly '@odata.deltaLink'?: string
}

/**
 * The operation of an endpoint that answers page by page. The items are `never`: the runtime claims nothing about them,
 * the type of the operation does.
 */
export const readPages =
  <Code extends string>(
    connection: Connection,
    path: PathTemplate,
    formats?: LiteralFormats,
    conditions?: Conditions,
  ) =>
  (...args: readonly unknown[]): Paged<never, ServiceError<Code>, DeltaPage<never>> => {
    const call = callOf(connection, 'GET', path, args, formats, conditions)
    return paged(call.url, url =>
      send(connection, { ...call, url }, (body: PageBody) => {
        const absolute = (link: string | undefined): string | undefined => link && resolveLink(link, url)
        return {
          value: body.value,
          nextLink: absolute(body['@odata.nextLink']),
          deltaLink: absolute(body['@odata.deltaLink']),
          count: body['@odata.count'],
        }
      }),
    )
  }
