import type { BaseShape, EntityShape } from './entity-shape.js'
import type { OmittingGetOperation, OmittingListOperation, PolymorphicOmittingListOperation } from './omit-values.js'
import type { ListOperation } from './paging.js'
import type { CapabilityTypes } from './query-options.js'

// The types of items that lack properties. This file is compiled by `tsc` and never run.

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
declare function same<_ extends true>(): void

interface Place {
  readonly city: string | null
  readonly country: string
}
interface Shop {
  readonly id: string
  readonly place: Place | null
  readonly size: number
}
interface ShopShape extends EntityShape {
  readonly properties: Shop
  readonly key: 'id'
  readonly navigation: object
}
interface Bakery extends Shop {
  readonly ovens: number | null
}
interface BakeryShape extends EntityShape {
  readonly properties: Bakery
  readonly key: 'id'
  readonly navigation: object
}
interface AnyShopShape extends BaseShape {
  readonly properties: Shop
  readonly key: 'id'
  readonly navigation: object
  readonly derived: { readonly 'n.bakery': BakeryShape }
  readonly typeName: 'n.shop'
}
interface Selecting extends CapabilityTypes {
  readonly options: 'select' | 'top'
}

declare const list: OmittingListOperation<[], ShopShape, Selecting, 'Gone'> &
  ListOperation<[], ShopShape, Selecting, 'Gone'>
declare const get: OmittingGetOperation<[id: string], ShopShape, Selecting, 'Gone'>
declare const any: PolymorphicOmittingListOperation<[], AnyShopShape, Selecting, 'Gone'>

export const omitted = async () => {
  for await (const shop of list({ prefer: { 'omit-values': 'nulls' } })) {
    same<Equal<typeof shop.size, number>>()
    const city: string | null | undefined = shop.place?.city
    return [city, shop.place?.country satisfies string | undefined]
  }
  for await (const shop of list({ select: ['size'], prefer: { 'omit-values': 'defaults' } }))
    same<Equal<typeof shop.size, number | undefined>>()
  // Without the preference, everything is there.
  for await (const shop of list({ top: 1 })) same<Equal<typeof shop.place, Place | null>>()
  same<Equal<Awaited<ReturnType<typeof one>>, number | undefined>>()
  for await (const shop of any({ prefer: { 'omit-values': 'nulls' } }))
    if (shop['@odata.type'] === '#n.bakery') same<Equal<typeof shop.ovens, number | null | undefined>>()
  // @ts-expect-error There is no such form.
  return get('1', { prefer: { 'omit-values': 'zeros' } })
}

const one = async () => (await get('1', { prefer: { 'omit-values': 'defaults' } })).size
