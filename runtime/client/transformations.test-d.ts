import type { ComputingListOperation } from './compute.js'
import type { EntityShape, ToMany, ToOne } from './entity-shape.js'
import type { ListOperation } from './paging.js'
import type { CapabilityTypes } from './query-options.js'
import type { AggregatingListOperation } from './transformations.js'

// The types of transformed and computed rows. This file is compiled by `tsc` and never run.

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
declare function same<_ extends true>(): void

interface Shop {
  readonly id: string
  readonly city: string | null
  readonly size: number
}
interface Sale {
  readonly id: number
  readonly amount: number
  readonly day: string | null
  readonly paid: boolean
}
interface ShopShape extends EntityShape {
  readonly properties: Shop
  readonly key: 'id'
  readonly navigation: { readonly sales: ToMany<SaleShape> }
}
interface SaleShape extends EntityShape {
  readonly properties: Sale
  readonly key: 'id'
  readonly navigation: { readonly shop: ToOne<ShopShape>; readonly giftTo: ToOne<ShopShape, true> }
}

interface Everything extends CapabilityTypes {
  readonly options: 'select' | 'filter' | 'orderby' | 'expand' | 'top' | 'skip' | 'count' | 'compute'
  readonly filter: 'eq' | 'gt' | 'year' | 'mul'
  readonly orderby: string
  readonly expand: string
  readonly numbers: number
  readonly transformations: 'filter' | 'compute' | 'aggregate' | 'groupBy' | 'rollup' | 'concat' | 'topCount' | 'top'
  readonly groupable: string
  readonly aggregatable: string
  readonly nested: Everything
}
/** Few transformations, and exact numbers. */
interface Little extends CapabilityTypes {
  readonly options: 'top'
  readonly numbers: string | number
  readonly transformations: 'groupBy'
  readonly groupable: 'paid'
  readonly aggregatable: 'amount'
}

declare const list: AggregatingListOperation<[], SaleShape, Everything, 'Gone'> &
  ComputingListOperation<[], SaleShape, Everything, 'Gone'> &
  ListOperation<[], SaleShape, Everything, 'Gone'>
declare const little: AggregatingListOperation<[], SaleShape, Little, 'Gone'> &
  ListOperation<[], SaleShape, Little, 'Gone'>

export const aggregated = async () => {
  for await (const row of list({ apply: a => a.groupBy(['paid'], { total: a.sum('amount'), n: a.count() }) })) {
    same<Equal<typeof row, { readonly paid: boolean; readonly total: number | null; readonly n: number }>>()
  }
  for await (const row of list({ apply: a => a.aggregate({ first: a.min('day'), paid: a.max('paid') }) })) {
    same<Equal<typeof row.first, string | null>>()
    same<Equal<typeof row.paid, boolean | null>>()
    // @ts-expect-error aggregated away
    row.amount
  }
  for await (const row of list({ apply: a => a.groupBy(['shop/city', 'giftTo/size', 'day']) })) {
    same<Equal<typeof row.shop.city, string | null>>()
    same<Equal<NonNullable<typeof row.giftTo>['size'], number | null>>()
    same<Equal<typeof row.giftTo, { readonly size: number | null } | null>>()
    same<Equal<typeof row.day, string | null>>()
    // @ts-expect-error not grouped by
    row.shop.size
  }
  for await (const row of list({ apply: a => a.groupBy([a.rollup(['paid', 'day']), 'shop/id'], { n: a.count() }) })) {
    same<Equal<typeof row.paid, boolean | undefined>>()
    same<Equal<typeof row.shop.id, string>>()
    same<Equal<typeof row.n, number>>()
  }
  for await (const row of list({ apply: a => a.filter(f => f.gt('amount', 5)).topCount(3, 'shop/size') })) {
    same<Equal<typeof row, Sale>>()
  }
  for await (const row of list({ apply: a => a.compute({ twice: f => f.mul('amount', 2) }).groupBy(['twice']) })) {
    same<Equal<typeof row.twice, number | null>>()
  }
  for await (const row of list({
    apply: a => a.groupBy(['paid'], group => group.topCount(1, 'amount').aggregate({ most: group.max('amount') })),
    orderby: ['most desc'],
  })) {
    same<Equal<typeof row, { readonly paid: boolean; readonly most: number | null }>>()
  }
  for await (const row of little({ apply: a => a.groupBy(['paid'], { total: a.sum('amount') }), top: 5 })) {
    same<Equal<typeof row.total, string | number | null>>()
  }
  for await (const row of list({ top: 1 })) same<Equal<typeof row, Sale>>()
}

export const computed = async () => {
  for await (const row of list({ compute: { year: f => f.call('year', 'day'), old: f => f.eq('paid', true) } })) {
    same<Equal<typeof row.year, number | null>>()
    same<Equal<typeof row.old, boolean | null>>()
    same<Equal<typeof row.amount, number>>()
  }
  for await (const row of list({ compute: { twice: f => f.mul('amount', 2) }, select: ['id', 'twice'] })) {
    same<Equal<typeof row, { readonly id: number; readonly twice: number | null }>>()
  }
  for await (const row of list({
    compute: { twice: f => f.mul('amount', 2) },
    filter: f => f.gt('twice', 5),
    orderby: ['twice desc'],
    expand: { shop: { compute: { area: f => f.mul('size', 'size') }, select: ['id', 'area'] } },
  })) {
    same<Equal<typeof row.shop.area, number | null>>()
    // @ts-expect-error not selected
    row.shop.size
  }
  for await (const row of list({ expand: { giftTo: { compute: { more: f => f.property('city') } } } })) {
    same<Equal<NonNullable<typeof row.giftTo>['more'], string | null>>()
  }
}

export const refused = () => {
  // @ts-expect-error misspelled property
  list({ apply: a => a.groupBy(['piad']) })
  // @ts-expect-error a sum of texts
  list({ apply: a => a.aggregate({ total: a.sum('day') }) })
  // @ts-expect-error aggregated away
  list({ apply: a => a.groupBy(['paid']).filter(f => f.eq('amount', 1)) })
  // @ts-expect-error a property that cannot be grouped by here
  little({ apply: a => a.groupBy(['day']) })
  // @ts-expect-error a property that cannot be aggregated here
  little({ apply: a => a.groupBy(['paid'], { days: a.countDistinct('day') }) })
  // @ts-expect-error a transformation that the endpoint does not support
  little({ apply: a => a.topCount(1, 'amount') })
  // @ts-expect-error not a property of the rows
  list({ apply: a => a.groupBy(['paid']), orderby: ['amount'] })
  // @ts-expect-error arithmetic of texts
  list({ compute: { twice: f => f.mul('day', 2) } })
  // @ts-expect-error not computed
  list({ compute: { twice: f => f.mul('amount', 2) }, select: ['thrice'] })
  // @ts-expect-error a misspelled property of expanded items
  list({ expand: { shop: { compute: { area: f => f.mul('sise', 2) } } } })
}
