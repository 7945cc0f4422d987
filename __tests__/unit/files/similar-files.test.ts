// Mistakes that people make, in trees of real tools: each line is told the file that is meant.
import { expect, test } from '@jest/globals'
import { quoted } from '../../../src/text/text.ts'
import { tree } from '../../support/tree.ts'

const trees = {
  dotnet: [
    ...['src/Shop.Api/bin/Release/net10.0/Shop.Api.dll', 'src/Shop.Api/Program.cs'],
    ...['src/Shop.Api/obj/Release/net10.0/Shop.Api.dll', 'src/Shop.Api/appsettings.json'],
    'tests/Shop.Api.Tests/TestResults/test-results.trx',
    'tests/Shop.Core.Tests/TestResults/test-results.trx',
    'tests/Shop.Core.Tests/TestResults/54281f83-46b4-49fa-88ee-886be814ca6d/coverage.cobertura.xml',
    ...['tests/Shop.Api.Tests/Fixtures/orders.xml', 'tests/Shop.Api.Tests/Fixtures/orders.json'],
    ...['CoverageReport/index.html', 'CoverageReport/Summary.txt', 'CoverageReport/Cobertura.xml'],
    ...['artifacts/packages/Shop.Core.1.4.0.nupkg', 'artifacts/publish/Shop.Api.zip'],
  ],
  js: [
    ...['package.json', 'apps/web/package.json', 'apps/web/public/index.html'],
    ...['apps/web/playwright-report/index.html', 'apps/web/playwright-report/trace/index.html'],
    ...['apps/web/test-results/login/test-failed-1.png', 'apps/web/e2e/login-chromium.png'],
    ...['apps/web/coverage/lcov-report/index.html', 'apps/web/coverage/lcov.info'],
    ...['apps/api/coverage/lcov.info', 'apps/api/coverage/clover.xml', 'apps/api/logs/server.log'],
    'packages/ui/coverage/coverage-summary.json',
    'packages/utils/coverage/coverage-summary.json',
    ...['reports/lighthouse/report-20261128.html', 'blob-report/report-1.zip'],
  ],
}

test.each([
  ['dotnet', 'TestResults/*.trx', /(Api|Core)\.Tests\/TestResults\/test-results\.trx$/],
  ['dotnet', 'tests/Shop.Core.Test/TestResults/*.trx', /Core\.Tests\/TestResults\/test-/],
  ['dotnet', '**/TestResults/*.xml', /coverage\.cobertura\.xml$/],
  ['dotnet', '**/coverage.corbetura.xml', /coverage\.cobertura\.xml$/],
  ['dotnet', 'coverage-report/Summary.txt', /^CoverageReport\/Summary\.txt$/],
  ['dotnet', 'src/Shop.Api/bin/Debug/net10.0/Shop.Api.dll', /^src\/Shop\.Api\/bin\/Release/],
  ['dotnet', 'src/Shop.Api/bin/Release/net9.0/Shop.Api.dll', /^src\/Shop\.Api\/bin\/Release/],
  ['dotnet', 'artifacts/*.nupkg', /\.nupkg$/],
  ['dotnet', 'artifacts/Shop.Api.1.4.0.zip', /^artifacts\/publish\/Shop\.Api\.zip$/],
  ['dotnet', '**/mutation-report.html', undefined],
  ['dotnet', 'tests/Shop.Api.Tests/StrykerOutput/**/*.json', undefined],
  ['dotnet', 'BenchmarkDotNet.Artifacts/results/*.md', undefined],
  ['dotnet', 'src/Shop.Api/logs/*.json', undefined],
  ['js', 'playwright-report/index.html', /^apps\/web\/playwright-report\/index/],
  ['js', 'apps/web/playwright-reports/index.html', /^apps\/web\/playwright-report\/index/],
  ['js', 'apps/web/coverage/index.html', /^apps\/web\/coverage\/lcov-report\/index/],
  ['js', 'apps/web/test-result/**/*.png', /test-results\/login/],
  ['js', 'packages/*/coverage/lcov.info', /^apps\/(api|web)\/coverage\/lcov\.info$/],
  ['js', 'apps/ui/coverage/coverage-summary.json', /^packages\/ui\//],
  ['js', 'packages/ui/coverage/coverage-sumary.json', /^packages\/ui\//],
  ['js', 'reports/*.htm', /^reports\/lighthouse/],
  ['js', 'blob-reports/*.zip', /^blob-report\//],
  ['js', 'apps/web/cypress/screenshots/**/*.png', undefined],
  ['js', 'apps/api/coverage/junit.xml', undefined],
  ['js', 'packages/utils/dist/*.tgz', undefined],
] as const)('%s: %s names only files that are meant: %s', async (name, line, meant) => {
  await using workspace = await tree(Object.fromEntries(trees[name].map((file) => [file, '1'])))
  const [unmatched] = (await workspace.find(line)).unmatched
  const hints = (unmatched?.explanation ?? []).map(quoted).filter((said) => /^Similar/.test(said))
  const named = hints.flatMap((hint) => [...hint.matchAll(/`(.*?)`/g)].map(([, file]) => file))
  expect(named.length > 0).toBe(meant !== undefined)
  for (const file of named) expect(file).toMatch(meant ?? '')
})
