// People's mistakes, in trees of real tools: each line is told the right file.
import { expect, test } from '@jest/globals'
import { quoted } from '../../../src/text/text.ts'
import { grid } from '../../support/grid.ts'
import { tree } from '../../support/tree.ts'

const dotnet = `
src/Shop.Api/bin/Release/net10.0/Shop.Api.dll
src/Shop.Api/Program.cs
src/Shop.Api/obj/Release/net10.0/Shop.Api.dll
src/Shop.Api/appsettings.json
tests/Shop.Api.Tests/TestResults/test-results.trx
tests/Shop.Core.Tests/TestResults/test-results.trx
tests/Shop.Core.Tests/TestResults/54281f83-46b4-49fa-88ee-886be814ca6d/coverage.cobertura.xml
tests/Shop.Api.Tests/Fixtures/orders.xml
tests/Shop.Api.Tests/Fixtures/orders.json
CoverageReport/index.html
CoverageReport/Summary.txt
CoverageReport/Cobertura.xml
artifacts/packages/Shop.Core.1.4.0.nupkg
artifacts/publish/Shop.Api.zip
`
const js = `
package.json
apps/web/package.json
apps/web/public/index.html
apps/web/playwright-report/index.html
apps/web/playwright-report/trace/index.html
apps/web/test-results/login/test-failed-1.png
apps/web/e2e/login-chromium.png
apps/web/coverage/lcov-report/index.html
apps/web/coverage/lcov.info
apps/api/coverage/lcov.info
apps/api/coverage/clover.xml
apps/api/logs/server.log
packages/ui/coverage/coverage-summary.json
packages/utils/coverage/coverage-summary.json
reports/lighthouse/report-20261128.html
blob-report/report-1.zip
`

/** Below each line, the files in its advice. */
async function similarTo(lines: string, files: string): Promise<string> {
  const entries = files
    .trim()
    .split('\n')
    .map((file) => [file, '1'])
  await using workspace = await tree(Object.fromEntries(entries))
  return await grid(lines, async (line) => {
    const [unmatched] = (await workspace.find(line)).unmatched
    const hints = (unmatched?.explanation ?? []).map(quoted)
    return hints.find((said) => said.startsWith('Similar')) ?? 'nothing'
  })
}

test('in a tree of .NET, only files that are meant are named', async () => {
  const lines = `
TestResults/*.trx
tests/Shop.Core.Test/TestResults/*.trx
**/TestResults/*.xml
**/coverage.corbetura.xml
coverage-report/Summary.txt
src/Shop.Api/bin/Debug/net10.0/Shop.Api.dll
src/Shop.Api/bin/Release/net9.0/Shop.Api.dll
artifacts/*.nupkg
artifacts/Shop.Api.1.4.0.zip
**/mutation-report.html
tests/Shop.Api.Tests/StrykerOutput/**/*.json
BenchmarkDotNet.Artifacts/results/*.md
src/Shop.Api/logs/*.json
`
  expect(await similarTo(lines, dotnet)).toMatchInlineSnapshot(`
"TestResults/*.trx
    Similar: \`tests/Shop.Api.Tests/TestResults/test-results.trx\`, \`tests/Shop.Core.Tests/TestResults/test-results.trx\`.
tests/Shop.Core.Test/TestResults/*.trx
    Similar: \`tests/Shop.Core.Tests/TestResults/test-results.trx\`.
**/TestResults/*.xml
    Similar: \`tests/Shop.Core.Tests/TestResults/54281f83-46b4-49fa-88ee-886be814ca6d/coverage.cobertura.xml\`.
**/coverage.corbetura.xml
    Similar: \`tests/Shop.Core.Tests/TestResults/54281f83-46b4-49fa-88ee-886be814ca6d/coverage.cobertura.xml\`.
coverage-report/Summary.txt
    Similar: \`CoverageReport/Summary.txt\`.
src/Shop.Api/bin/Debug/net10.0/Shop.Api.dll
    Similar: \`src/Shop.Api/bin/Release/net10.0/Shop.Api.dll\`.
src/Shop.Api/bin/Release/net9.0/Shop.Api.dll
    Similar: \`src/Shop.Api/bin/Release/net10.0/Shop.Api.dll\`.
artifacts/*.nupkg
    Similar: \`artifacts/packages/Shop.Core.1.4.0.nupkg\`.
artifacts/Shop.Api.1.4.0.zip
    Similar: \`artifacts/publish/Shop.Api.zip\`.
**/mutation-report.html
    nothing
tests/Shop.Api.Tests/StrykerOutput/**/*.json
    nothing
BenchmarkDotNet.Artifacts/results/*.md
    nothing
src/Shop.Api/logs/*.json
    nothing"
`)
})

test('in a tree of JavaScript, only files that are meant are named', async () => {
  const lines = `
playwright-report/index.html
apps/web/playwright-reports/index.html
apps/web/coverage/index.html
apps/web/test-result/**/*.png
packages/*/coverage/lcov.info
apps/ui/coverage/coverage-summary.json
packages/ui/coverage/coverage-sumary.json
reports/*.htm
blob-reports/*.zip
apps/web/cypress/screenshots/**/*.png
apps/api/coverage/junit.xml
packages/utils/dist/*.tgz
`
  expect(await similarTo(lines, js)).toMatchInlineSnapshot(`
"playwright-report/index.html
    Similar: \`apps/web/playwright-report/index.html\`.
apps/web/playwright-reports/index.html
    Similar: \`apps/web/playwright-report/index.html\`.
apps/web/coverage/index.html
    Similar: \`apps/web/coverage/lcov-report/index.html\`.
apps/web/test-result/**/*.png
    Similar: \`apps/web/test-results/login/test-failed-1.png\`.
packages/*/coverage/lcov.info
    Similar: \`apps/api/coverage/lcov.info\`, \`apps/web/coverage/lcov.info\`.
apps/ui/coverage/coverage-summary.json
    Similar: \`packages/ui/coverage/coverage-summary.json\`.
packages/ui/coverage/coverage-sumary.json
    Similar: \`packages/ui/coverage/coverage-summary.json\`.
reports/*.htm
    Similar: \`reports/lighthouse/report-20261128.html\`.
blob-reports/*.zip
    Similar: \`blob-report/report-1.zip\`.
apps/web/cypress/screenshots/**/*.png
    nothing
apps/api/coverage/junit.xml
    nothing
packages/utils/dist/*.tgz
    nothing"
`)
})
