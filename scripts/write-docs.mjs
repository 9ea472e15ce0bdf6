import { readFileSync, writeFileSync } from 'node:fs'
import { rules } from '../dist/conformance/index.js'
import { rulesPage } from '../dist/conformance/report/rules-page.js'
import { assumptionsPage } from '../dist/generator/docs/assumptions-page.js'
import { csdlVocabularyPage } from '../dist/generator/docs/csdl-vocabulary-page.js'
import { canonicalFunctionsModule } from '../dist/generator/emit/client/callable-functions.js'
import { loadSpec } from '../dist/spec/language/index.js'
import { referencePage } from '../dist/spec/language/shape/reference-page.js'
import { languageSchema } from '../dist/spec/language/shape/schema.js'

// Writes the pages of docs/ and the files of the runtime that derive from specs, schema and code: `npm run docs`.

const { service } = await loadSpec('spec/directory.yaml')
if (service === undefined) throw new Error('spec/directory.yaml has errors: specwright validate spec/directory.yaml')
writeFileSync('docs/assumptions.md', assumptionsPage([service]))
writeFileSync('docs/csdl-vocabulary.md', csdlVocabularyPage())
writeFileSync('docs/rules.md', rulesPage(rules))
writeFileSync('runtime/client/canonical-functions.ts', canonicalFunctionsModule())

const language = readFileSync('docs/spec-language.md', 'utf8')
const explained = language.slice(0, language.indexOf('## Reference\n'))
writeFileSync('docs/spec-language.md', explained + referencePage(languageSchema()))
