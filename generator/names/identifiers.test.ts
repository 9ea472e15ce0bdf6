import { describe, expect, it } from 'vitest'
import { fileName, propertyName, typeIdentifier, valueIdentifier } from './identifiers.js'

describe('typeIdentifier', () => {
  it.each([
    ['user', 'User'],
    ['driveItem', 'DriveItem'],
    ['drive-item', 'DriveItem'],
    ['a.b_c', 'ABC'],
    ['sales_order', 'SalesOrder'],
    ['SALES_ORDER_2', 'SalesOrder2'],
    ['URL', 'URL'],
    ['2fast', '_2fast'],
    ['string', 'String'],
    ['__proto__', 'Proto'],
    ['ſchema', 'Schema'],
    ['ßtraße', 'SStraße'],
    ['名前', '名前'],
    ['💥', ''],
    ['', ''],
  ])('turns %j into %j', (name, identifier) => expect(typeIdentifier(name)).toBe(identifier))
})

describe('valueIdentifier', () => {
  it.each([
    ['Users', 'users'],
    ['me-messages', 'meMessages'],
    ['delete', 'delete_'],
    ['await', 'await_'],
    ['arguments', 'arguments_'],
    ['constructor', 'constructor'],
    ['number', 'number'],
    ['1st', '_1st'],
    ['🤷‍♀️', ''],
  ])('turns %j into %j', (name, identifier) => expect(valueIdentifier(name)).toBe(identifier))
})

describe('propertyName', () => {
  it.each([
    ['id', 'id'],
    ['if', 'if'],
    ['constructor', 'constructor'],
    ['$count', '$count'],
    ['new', "'new'"],
    ['__proto__', "['__proto__']"],
    ['@odata.etag', "'@odata.etag'"],
    ['1', "'1'"],
    ['', "''"],
    ["it's", `"it's"`],
    ['a\u2028b', "'a\\u2028b'"],
    ['名前', "'名前'"],
    ['💥', "'💥'"],
    ['a\u200db', "'a\\u200db'"],
  ])('writes %j as %s', (name, written) => expect(propertyName(name)).toBe(written))
})

describe('fileName', () => {
  it.each([
    ['users', 'users'],
    ['meMessages', 'me-messages'],
    ['CON', 'con-'],
    ['lpt1', 'lpt1-'],
    ['../../etc/passwd', 'etc-passwd'],
    ['a\\b:c*d', 'a-b-c-d'],
    ['..', ''],
    ['💥', ''],
    ['É', 'é'],
  ])('turns %j into %j', (name, file) => expect(fileName(name)).toBe(file))
})
