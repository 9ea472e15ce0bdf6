import { structuredTypes } from '../model/service.js'
import { isStream, primitiveOf } from '../model/types.js'
import type { Check } from './check.js'

/** The settings of a property are consistent: who sets it, when, and how it is searched. */
export const propertyRoles: Check = ({ document, service, report }) => {
  for (const type of structuredTypes(service)) {
    for (const property of type.ownProperties) {
      const { name, computed, createOnly, stamp, utc, search, collection, location } = property
      const primitive = primitiveOf(property.type)
      const breach = (code: string, word: string, message: string): void =>
        report({ code, message, at: `${location.pointer}/${word}`, on: 'key' })
      if (computed && createOnly) {
        breach(
          'spec/property-roles',
          'createOnly',
          `"${name}" is \`computed\`, so no create can set it. Remove one of the two.`,
        )
      }
      const written = document.resources[type.name]
      const says = written !== undefined && 'properties' in written ? written.properties?.[name]?.required : undefined
      if (computed && says === true) {
        breach(
          'spec/property-roles',
          'required',
          `"${name}" is \`computed\`, so no create can have it. Remove one of the two.`,
        )
      }
      if (stamp !== undefined && (!computed || collection || primitive !== 'DateTimeOffset')) {
        breach(
          'spec/stamp',
          'stamp',
          `"${name}" cannot be a time stamp. Only a single \`computed\` DateTimeOffset can.`,
        )
      }
      if (utc !== undefined && primitive !== 'DateTimeOffset') {
        breach('spec/utc', 'utc', `"${name}" is of "${property.type.name}". Only a DateTimeOffset can be in UTC.`)
      }
      if (search !== 'none' && primitive !== 'String') {
        breach('spec/search', 'search', `"${name}" is of "${property.type.name}". Only text can be searched.`)
      }
    }
  }
}

/**
 * A structural property is a value. Navigation properties lead to items.
 *
 * @see OData CSDL 4.01, 7.1 (type of a structural property)
 */
export const entityAsValue: Check = ({ service, report }) => {
  for (const type of structuredTypes(service)) {
    for (const { name, type: of, location } of type.ownProperties) {
      if (of.kind !== 'entityType') continue
      const message = `"${name}" is of the entity type "${of.name}". Declare it under \`navigation\`: \`${name}: { to: ${of.name} }\`.`
      report({ code: 'spec/entity-as-value', message, at: `${location.pointer}/type` })
    }
  }
}

/**
 * Streams are not part of an item: no create contains one, and no query compares one. Only they have media types, and complex
 * values have no paths for them.
 *
 * @see OData CSDL 4.01, 6.5 (media entity types) and 3.3 (Edm.Stream)
 */
export const streams: Check = ({ document, service, report }) => {
  for (const type of structuredTypes(service)) {
    const written = document.resources[type.name]
    if (written?.kind === 'entityType' && type.kind === 'entityType') {
      if (written.hasStream === false && type.base?.kind === 'entityType' && type.base.hasStream) {
        const message = `"${type.base.name}" has a media stream, so "${type.name}", which derives from it, also has one. Remove "hasStream: false".`
        report({ code: 'spec/stream', message, at: `${type.location.pointer}/hasStream` })
      }
      if (written.mediaTypes !== undefined && !type.hasStream) {
        const message = `Items of "${type.name}" have no media stream. Add \`hasStream: true\`, or remove \`mediaTypes\`.`
        report({ code: 'spec/stream', message, at: `${type.location.pointer}/mediaTypes`, on: 'key' })
      }
    }
    for (const property of type.ownProperties) {
      const { name, location } = property
      const breach = (word: string, message: string): void =>
        report({ code: 'spec/stream', message, at: `${location.pointer}/${word}`, on: 'key' })
      if (!isStream(property.type)) {
        if (property.mediaTypes === undefined) continue
        breach(
          'mediaTypes',
          `"${name}" is of "${property.type.name}". Only a Stream has media types. Remove \`mediaTypes\`.`,
        )
        continue
      }
      if (type.kind === 'complexType') {
        const message = `"${name}" is a Stream in the complex type "${type.name}". A stream has a path below an item. Declare it in an entity type, or give the item a contained relation to one.`
        report({ code: 'spec/stream', message, at: `${location.pointer}/type` })
        continue
      }
      if (property.collection)
        breach('collection', `"${name}" is a Stream, and a Stream is always single. Remove \`collection\`.`)
      if (property.required)
        breach('required', `"${name}" is a Stream, which a create cannot contain. Remove \`required\`.`)
      if (property.unique) breach('unique', `"${name}" is a Stream, which is not compared. Remove \`unique\`.`)
      if (property.index) breach('index', `"${name}" is a Stream, which is not compared. Remove \`index\`.`)
    }
  }
  for (const endpoint of service.endpoints) {
    if (endpoint.kind !== 'deleteStream' || endpoint.property?.nullable !== false) continue
    const { name, location } = endpoint.property
    const message = `"${name}" cannot be null, so it cannot be deleted. Add \`nullable: true\` there, or remove \`delete\`.`
    const related = [{ message: `"${name}" is declared here`, at: location.pointer, on: 'key' as const }]
    report({ code: 'spec/stream', message, at: endpoint.location.pointer, on: 'key', related })
  }
}
