import { readFileSync, writeFileSync } from 'node:fs'
import { withLimitTable } from '../build/bin/serve/limits.js'
import { rules } from '../build/conformance/index.js'
import { rulesPage } from '../build/conformance/report/rules-page.js'
import { assumptionsPage, csdlVocabularyPage, withFunctionTable } from '../build/generator/docs/pages.js'
import { canonicalFunctionsModule } from '../build/generator/emit/client/callable-functions.js'
import { loadSpec } from '../build/spec/language/index.js'
import { referencePage } from '../build/spec/language/shape/reference-page.js'
import { languageSchema } from '../build/spec/language/shape/schema.js'

// Writes the pages of docs/ and the files of the runtime that derive from specs, schema and code: `npm run docs`.

const { service } = await loadSpec('spec/directory.yaml')
if (service === undefined) throw new Error('spec/directory.yaml has errors: specwright validate spec/directory.yaml')
writeFileSync('docs/assumptions.md', assumptionsPage([service]))
writeFileSync('docs/csdl-vocabulary.md', csdlVocabularyPage())
writeFileSync('docs/rules.md', rulesPage(rules))
writeFileSync('docs/query-language.md', withFunctionTable(readFileSync('docs/query-language.md', 'utf8')))
writeFileSync('docs/security.md', withLimitTable(readFileSync('docs/security.md', 'utf8')))
writeFileSync('runtime/client/canonical-functions.ts', canonicalFunctionsModule())

const language = readFileSync('docs/spec-language.md', 'utf8')
const explained = language.slice(0, language.indexOf('## Reference\n'))
writeFileSync('docs/spec-language.md', explained + referencePage(languageSchema()))
